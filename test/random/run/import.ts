/** Imports the rows nested in one another at random, some without their generated keys. */
import { stringify } from 'lossless-json';
import { codeOf, describeReply } from '../drive/client.js';
import type { World } from '../drive/world.js';
import { documentOf, type ImportPlan, makeImport } from '../generate/import.js';
import {
  type Answered,
  canonicalText,
  isNumber,
  isObject,
  parseAnswer,
} from '../judge/answered.js';
import { refill } from '../judge/judge-write.js';
import {
  type AnsweredRow,
  generatedKeyOf,
  referencesAmong,
  treesOf,
  valueText,
} from '../judge/row-trees.js';
import type { Step } from './round.js';

/** Empties the tables, imports the rows, and compares them up to the generated keys. */
export async function checkImport({ world, random, report, server, seed }: Step): Promise<void> {
  const { tables, split, listeners } = world;
  const where =
    `on ${server.dialect}, seed ${seed}` +
    (split ? `, ${split.moved.join()} on ${split.server.dialect}` : '') +
    (listeners ? `, listeners ${JSON.stringify(listeners)}` : '');
  report.count('imports');
  const all = await rowsOf(world);
  const last = random.chance(0.7) ? leafOf(world, random.shuffled(all)) : undefined;
  const rows = all.filter((row) => row !== last);
  const plan = makeImport(random, world, rows);
  const fault = await importFault(world, plan);
  if (fault !== undefined) {
    const small = await reduced(world, plan, fault);
    const found = (await importFault(world, small)) ?? fault;
    const document = documentOf(small);
    const text = `${found}\nby the import ${document}\n${where}`;
    report.fail({ kind: `import: ${kindOf(fault)}`, text });
  } else if (last) {
    report.count('imports with a later insert');
    const later = await laterFault(world, rows, last);
    if (later !== undefined)
      report.fail({
        kind: `insert after an import: ${kindOf(later)}`,
        text: `${later}\nafter the import ${documentOf(plan)}\n${where}`,
      });
  }
  await refill(world, tables);
}

/** What is wrong after the import into empty tables. */
async function importFault(world: World, plan: ImportPlan): Promise<string | undefined> {
  const { domain, client, database } = world;
  await database.empty();
  const reply = await client.post('/stages/default/import', documentOf(plan));
  if (reply.status !== 200) return describeReply(reply);
  const expected = plan.sections.flat().flatMap(({ rows }) => rows);
  const counts = domain.entities.flatMap(({ name }) => {
    const count = expected.filter(({ entity }) => entity.name === name).length;
    return count > 0 ? [`${name} ${count}`] : [];
  });
  const counted = countsOf(parseAnswer(reply.text));
  if (counted !== counts.sort().join()) return `counts: ${counts.join()} expected, ${reply.text}`;
  const found = await rowsOf(world);
  const keys = new Set(expected.filter((row) => !plan.keyless.has(row)).map(keyText));
  const isMade = (row: AnsweredRow): boolean =>
    generatedKeyOf(row.entity) !== undefined && !keys.has(keyText(row));
  const [before, after] = [
    treesOf(domain, expected, (row) => plan.keyless.has(row)),
    treesOf(domain, found, isMade),
  ];
  const [missing] = without(before, after);
  const [more] = without(after, before);
  if (missing === undefined && more === undefined) return undefined;
  // A weak reference that led to no row may lead to a generated key.
  const references = (of: readonly AnsweredRow[]) => referencesAmong(domain, of).length;
  if (references(expected) < references(found)) return undefined;
  return `rows: ${missing ?? 'nothing'} expected, ${more ?? 'nothing'} found`;
}

async function rowsOf({ domain, client }: World): Promise<readonly AnsweredRow[]> {
  const lists = domain.entities.map(async (entity) => {
    const reply = await client.post('/execute', JSON.stringify({ query: entity.name }));
    const rows = parseAnswer(reply.text);
    if (!Array.isArray(rows)) throw new Error(`${entity.name}: ${describeReply(reply)}`);
    return rows.map((values: Answered) => ({ entity, values: isObject(values) ? values : {} }));
  });
  return (await Promise.all(lists)).flat();
}

function keyText(row: AnsweredRow): string {
  return `${row.entity.name} ${valueText(row, generatedKeyOf(row.entity) ?? '')}`;
}

function countsOf(answer: Answered): string {
  const imported = isObject(answer) && !('ignored' in answer) ? answer['imported'] : null;
  if (!Array.isArray(imported)) return canonicalText(answer);
  const counts = imported.map((each: Answered) => {
    const { entity = null, rows = null } = isObject(each) ? each : {};
    return `${String(entity)} ${isNumber(rows) ? rows.value : '?'}`;
  });
  return counts
    .filter((each) => !each.endsWith(' 0'))
    .sort()
    .join();
}

/** The texts of one sorted list that another lacks. */
function without(texts: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const each of others) left.set(each, (left.get(each) ?? 0) + 1);
  return texts.filter((each) => {
    const count = left.get(each) ?? 0;
    left.set(each, count - 1);
    return count <= 0;
  });
}

/** A row with a generated key to which no row refers. */
function leafOf({ domain }: World, rows: readonly AnsweredRow[]): AnsweredRow | undefined {
  const parents = new Set(referencesAmong(domain, rows).map(({ parent }) => parent));
  return rows.find((row) => generatedKeyOf(row.entity) !== undefined && !parents.has(row));
}

/** Inserts a row that the import did not contain. */
async function laterFault(
  { client }: World,
  rows: readonly AnsweredRow[],
  last: AnsweredRow,
): Promise<string | undefined> {
  const key = generatedKeyOf(last.entity) ?? '';
  const members = Object.entries(last.values).filter(([name]) => name !== key);
  const data = Object.fromEntries(members);
  const body = stringify({ query: `${last.entity.name}.insert()`, data }) ?? '';
  const reply = await client.post('/execute', body);
  const isTaken = codeOf(reply) === 'unique-violation' || reply.status >= 500;
  return isTaken
    ? `${describeReply(reply)}\nby the insert ${body}, of ${rows.length} rows`
    : undefined;
}

const TRIES_MAX = 60;

/** A smaller document with a fault of the same kind. */
async function reduced(world: World, plan: ImportPlan, fault: string): Promise<ImportPlan> {
  const { domain } = world;
  let smallest = plan;
  let tries = 0;
  const count = () => smallest.sections.flat().length;
  for (let size = Math.ceil(count() / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < count() && tries < TRIES_MAX; tries += 1) {
      const trees = smallest.sections.flat();
      const removed = new Set(trees.slice(start, start + size));
      const treeOf = new Map(trees.flatMap((tree) => tree.rows.map((row) => [row, tree] as const)));
      const references = referencesAmong(domain, [...treeOf.keys()]);
      for (let before = 0; before < removed.size; ) {
        before = removed.size;
        for (const { child, parent } of references) {
          const [referring, referred] = [treeOf.get(child), treeOf.get(parent)];
          if (referring && referred && removed.has(referred)) removed.add(referring);
        }
      }
      const sections = smallest.sections.map((list) => list.filter((each) => !removed.has(each)));
      const smaller = { ...smallest, sections: sections.filter((each) => each.length > 0) };
      const found = await importFault(world, smaller);
      if (found !== undefined && kindOf(found) === kindOf(fault)) smallest = smaller;
      else start += size;
    }
  }
  return smallest;
}

/** A fault without names and values. */
function kindOf(fault: string): string {
  return fault.replaceAll(/'[^']*'|\d+/g, '…').slice(0, 40);
}
