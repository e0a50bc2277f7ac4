/** Judges writes by their answers and by the rows that are stored afterwards. */
import { parseQuery } from '../../../src/engine/language/parse-query.js';
import { codeOf, describeReply, type Reply } from '../drive/client.js';
import { tooLarge } from '../evaluate/decimal.js';
import { importRows, type World, type WorldPlan } from '../drive/world.js';
import type { Tables } from '../evaluate/tables.js';
import { Unsure } from '../evaluate/unsure.js';
import { entityNamed } from '../world/domain.js';
import type { View } from '../world/view.js';
import { applyWrite } from '../write/apply.js';
import { codesOf } from '../write/outcome.js';
import { parseAnswer } from './answered.js';
import { difference, shown } from './differences.js';
import { bodyOf, limits, needsTwoSources, type Question } from './judge.js';
import { type Narrowed, narrowed } from './narrowed.js';
import { tableFault } from './table-fault.js';

export type WriteVerdict =
  | { readonly kind: 'right'; readonly tables: Tables }
  | { readonly kind: 'unsure' }
  | {
      readonly kind: 'wrong';
      readonly fault: string;
      readonly sort: string;
      readonly expected: string;
      readonly found: string;
    };

/** How a write is sent. */
export interface Sending {
  /** Its idempotency key. */
  readonly key?: string | undefined;
  /** The view through which it is sent, instead of the default one. */
  readonly view?: View | undefined;
}

/** Sends a write (again if it has an idempotency key and was stored), and judges the answer and the stored rows. */
export async function judgeWrite(
  world: World,
  { domain, tables }: WorldPlan,
  question: Question,
  { key, view }: Sending = {},
): Promise<WriteVerdict> {
  const body = bodyOf(question, view?.name);
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const reply = await world.client.post('/execute', body, headers);
  const again =
    key === undefined || reply.status !== 200
      ? reply
      : await world.client.post('/execute', body, headers);
  const answered = reply.status === 200 ? parseAnswer(reply.text) : null;
  const largeBefore = tooLarge.count;
  if (needsTwoSources(world, reply)) return { kind: 'unsure' };
  try {
    const narrow = view && narrowed(view, { domain, tables }, question, reply);
    if (narrow) return await judgeRefused(world, { domain, tables }, reply, narrow);
    const query = parseQuery(question.text, limits);
    const outcome = applyWrite({ domain, tables, view }, query, question.data, answered);
    const codes = codesOf(outcome, domain);
    if (isRefusedByMysql(world, codeOf(reply))) return { kind: 'unsure' };
    const wrong = (fault: string, sort: string): WriteVerdict => ({
      kind: 'wrong',
      fault,
      sort,
      expected: codes.length > 0 ? codes.join(' or ') : shown(outcome.answer),
      found: reply.text.slice(0, 2000),
    });
    if (codes.length > 0) {
      if (!codes.includes(codeOf(reply) ?? ''))
        return wrong(
          `refused by ${codes.join(' or ')} expected, ${describeReply(reply)} found`,
          `not refused: ${reply.status}`,
        );
    } else if (isRowByRow(world, question, codeOf(reply))) return { kind: 'unsure' };
    else if (tooLarge.count > largeBefore && codeOf(reply) === 'value-out-of-range')
      return { kind: 'unsure' };
    else if (answered === null)
      return wrong(describeReply(reply), describeReply(reply).replaceAll(/'[^']*'|\d+/g, '…'));
    else {
      const fault = difference(outcome.answer, answered);
      if (fault !== undefined) return wrong(fault, 'the answer differs');
    }
    if (reply.status === 200 && again.text !== reply.text) {
      return wrong(`sent again with its key: ${describeReply(again)}`, 'another answer for a key');
    }
    const left = await tableFault(world.client, domain, outcome.tables);
    if (left !== undefined) return wrong(left, 'the rows differ');
    return { kind: 'right', tables: outcome.tables };
  } catch (error) {
    if (error instanceof Unsure) return { kind: 'unsure' };
    throw error;
  }
}

/** Judges a write that must be refused, or is. Nothing may be stored. */
async function judgeRefused(
  { client }: World,
  { domain, tables }: WorldPlan,
  reply: Reply,
  { fault, isOpen }: Narrowed,
): Promise<WriteVerdict> {
  const left = fault ?? (await tableFault(client, domain, tables));
  if (left === undefined) return isOpen ? { kind: 'unsure' } : { kind: 'right', tables };
  const sort = `under a view: ${left.replaceAll(/'[^']*'|"[^"]*"|\d+/g, '…').slice(0, 60)}`;
  return { kind: 'wrong', fault: left, sort, expected: 'a refusal', found: reply.text };
}

/** Restores the previous rows. */
export async function refill(world: World, tables: Tables): Promise<void> {
  await world.database.empty();
  await importRows(world.client, world.domain, tables);
}

/** MySQL refuses some writes whose conditions read the same table: see docs/databases.md. */
function isRefusedByMysql({ database }: World, code: string | undefined): boolean {
  return database.source.dialect === 'MySQL' && code === 'refused-by-database';
}

/**
 * MariaDB and MySQL check a delete row by row, and a list of keys is deleted in its order everywhere. Rows of an
 * entity that refer to each other can therefore prevent the delete.
 */
export function isRowByRow(
  { domain, database, split }: World,
  { text, data }: Question,
  code: string | undefined,
): boolean {
  if (code !== 'foreign-key-violation') return false;
  const dialects = [database.source.dialect, split?.server.dialect];
  const isChecked = dialects.some((each) => each === 'MariaDB' || each === 'MySQL');
  if (!isChecked && !Array.isArray(data)) return false;
  const { entity: name, clauses } = parseQuery(text, limits);
  const isDelete = clauses.some((each) => /^(delete|deleteAll|remove)$/.test(each.name));
  const deleted = clauses.some((each) => each.name === 'include')
    ? domain.entities
    : [entityNamed(domain, name)];
  return (
    isDelete && deleted.some((each) => each.relations.some(({ entity }) => entity === each.name))
  );
}
