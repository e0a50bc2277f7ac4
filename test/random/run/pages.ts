/** Pages after a cursor hold all rows of their query once, and the total is their number. */
import { codeOf, describeReply, type Reply } from '../drive/client.js';
import { jsonOfData } from '../evaluate/data.js';
import { makeData } from '../generate/data.js';
import { isSortable } from '../generate/expression.js';
import { makeQuery, type RandomQuery } from '../generate/query.js';
import { type Answered, parseAnswer, unorderedText } from '../judge/answered.js';
import { leavesRowsOpen } from '../judge/open-rows.js';
import type { Step } from './round.js';

const ROWS_MAX = 300;
/**
 * `now()` differs between requests, and the last digits of a sum of doubles depend on its order;
 * limited and counted queries have no pages.
 */
const hasNoPages = /;|\b(now|today|curTime|sum|avg|page|first|last|take)\(|\.count\(\)/;
/** Sort keys that cursors cannot contain or databases cannot compare. */
const allowed = ['wrong-arguments', 'unsupported', 'type-mismatch', 'value-out-of-range'];
const allowedToo = ['text-too-long', 'too-complex', 'query-too-deep'];
const LINK = /cursor="([\w-]+)"/;

/** Many random queries cannot be read page by page. */
const TRIES = 12;

/** Reads random queries as a whole, and page by page. */
export async function checkPages(step: Step): Promise<void> {
  for (let number = 0; number < TRIES; number += 1) await checkQuery(step);
}

/** All rows of an entity, sorted by one or two properties. */
function sortedQuery({ random, world }: Step): Pick<RandomQuery, 'text' | 'parameters'> {
  const { name, properties } = random.pick(world.domain.entities);
  const sortable = properties.filter(({ type }) => isSortable(type));
  const keys = random.some(sortable, 2).map((each) => {
    return random.pick([`p.${each.name}`, `asc(p.${each.name})`, `desc(p.${each.name})`]);
  });
  return { text: `${name}.sort(p=>[${keys.join(', ')}])`, parameters: new Set() };
}

async function checkQuery(step: Step): Promise<void> {
  const { random, world, report, server, seed } = step;
  const query = random.chance(0.5) ? makeQuery(random, world.domain) : sortedQuery(step);
  if (hasNoPages.test(query.text) || leavesRowsOpen(world.domain, query.text)) return;
  const given = jsonOfData(makeData(random, query.parameters)).slice(1, -1);
  const ask = (text: string, more: string, options = ''): Promise<Reply> => {
    const data = [given, more].filter(Boolean).join(', ');
    const body = `{"query": ${JSON.stringify(text)}, "data": {${data}}${options}}`;
    return world.client.post('/execute', body);
  };
  const whole = await ask(query.text, '', ', "options": {"count": true}');
  const rows = whole.status === 200 ? parseAnswer(whole.text) : undefined;
  if (!Array.isArray(rows) || rows.length > ROWS_MAX) return;
  const fail = (fault: string): void =>
    report.fail({
      kind: `pages: ${fault.replaceAll(/['"\d].*/gs, '')}`,
      text: `${fault}\n${query.text}\n{${given}}\non ${server.dialect}, seed ${seed}`,
    });
  const total = whole.headers['x-total-count'];
  if (total !== String(rows.length))
    return fail(`The total is not ${rows.length}: ${String(total)}`);
  const size = Math.max(1, Math.ceil(rows.length / (1 + random.below(6))));
  const found: Answered[] = [];
  for (let cursor = 'null'; cursor !== ''; ) {
    const page = await ask(`${query.text}.after(zcur).take(${size})`, `"zcur": ${cursor}`);
    const code = codeOf(page) ?? '';
    if (page.status !== 200) {
      if (![...allowed, ...allowedToo].includes(code))
        fail(`A page is refused: ${describeReply(page)}`);
      return;
    }
    const part = parseAnswer(page.text);
    found.push(...(Array.isArray(part) ? part : []));
    if (found.length > rows.length) break;
    const [, next] = LINK.exec(String(page.headers['link'] ?? '')) ?? [];
    cursor = next === undefined ? '' : `"${next}"`;
  }
  report.count('queries page by page');
  const [expected, paged] = [rows, found].map((each) => each.map(unorderedText).sort());
  if (JSON.stringify(expected) === JSON.stringify(paged)) return;
  const other = paged?.find((row, index) => row !== expected?.[index]);
  fail(
    `The pages of ${size} contain ${found.length} rows instead of ${rows.length}, or different ones: ${other} ${expected?.join()}`,
  );
}
