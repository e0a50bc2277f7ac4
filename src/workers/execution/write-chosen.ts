/** Updates and deletes of chosen rows: the statements of the whole tree in one round trip. */
import {
  type Capabilities,
  type ChecksAfter,
  type ChosenWrite,
  checkChosen,
  type CompiledQuery,
  type DataValue,
  EngineError,
  type Fields,
  invariant,
  isDataObject,
  type KeyedBy,
  type ParameterValues,
  readRelatedRows,
  type Sentence,
  sentenceStatement,
  Texts,
  valueAt,
  WriteRow,
} from '../../engine/index.js';
import type { Statement } from '../sources/source.js';
import { requireChecks } from './write-checks.js';
import { type RunWrites, writeIncluded } from './write-rows.js';

/** One update or delete with the values of its parameters. */
export interface ChosenOrder {
  readonly plan: CompiledQuery;
  readonly values: ParameterValues;
  readonly data: DataValue | undefined;
  /** The instant of the request, and what values are evaluated by. */
  readonly around: Capabilities;
}

/** The write of a sentence that chooses its rows in the database. */
export function chosenWriteOf({ write }: Sentence): ChosenWrite {
  invariant(write?.kind === 'chosen', 'a sentence that chooses its rows');
  return write;
}

/** Checks what is set, and gives the order with what is stored; throws before anything runs. */
export function checkOrder(order: ChosenOrder): ChosenOrder {
  const { root } = order.plan;
  return { ...order, values: checkChosen(root, chosenWriteOf(root), order) };
}

/** Deletes the rows of each order, what refers to them first; gives the number of the orders' own. */
export async function deleteChosen(
  run: RunWrites,
  orders: readonly ChosenOrder[],
): Promise<number> {
  const root = orders[0]?.plan.root;
  if (!root) return 0;
  if (chosenWriteOf(root).before) return deleteByKeys(run, orders);
  const statements = orders.map(({ plan, values }) => deleteStatements(plan.root, values, []));
  let count = 0;
  for (let start = 0; start < orders.length; start += ROUND_ORDERS) {
    const round = statements.slice(start, start + ROUND_ORDERS);
    const results = await run(round.flat(), start + ROUND_ORDERS >= orders.length, root);
    let end = 0;
    for (const each of round) {
      end += each.length;
      count += results[end - 1]?.count ?? 0;
    }
  }
  return count;
}

/** Orders whose statements travel together. */
const ROUND_ORDERS = 500;

/**
 * Chooses and locks the rows of each order, and then deletes them by their keys: their conditions are
 * asked once, before anything is gone.
 */
async function deleteByKeys(run: RunWrites, orders: readonly ChosenOrder[]): Promise<number> {
  let count = 0;
  for (const [index, { plan, values }] of orders.entries()) {
    const { root } = plan;
    const [chosen] = await run(beforeOf(root, values), false, root);
    const rows = chosen?.rows ?? [];
    const isLast = index === orders.length - 1;
    for (let start = 0; start < rows.length; start += CHOSEN_AT_ONCE) {
      const some = rows.slice(start, start + CHOSEN_AT_ONCE);
      const isEnd = isLast && start + CHOSEN_AT_ONCE >= rows.length;
      await run(deleteStatements(root, values, some), isEnd, root);
    }
    if (isLast && rows.length === 0) await run([], true, root);
    count += rows.length;
  }
  return count;
}

/** Keys of one statement; the protocol of MySQL has no room for twice as many. */
const CHOSEN_AT_ONCE = 32_768;

/** Updates the rows of an order, and then writes what it includes; gives the number of its own. */
export async function updateChosen(run: RunWrites, order: ChosenOrder): Promise<number> {
  const { plan, values, data, around } = order;
  const { root } = plan;
  const statement = statementOf(root, values);
  const { checks } = chosenWriteOf(root);
  const before = beforeOf(root, values);
  if (root.inclusions.length === 0) {
    if (!checks) {
      const [only] = await run([statement], true, root);
      return only?.count ?? 0;
    }
    const results = await run([...before, statement], false, root);
    await checkRows(run, root, results[0]?.rows ?? []);
    await run([], true, root);
    return results.at(-1)?.count ?? 0;
  }
  const related = readRelatedRows(root, data, chosenWriteOf(root).base, around);
  const results = await run([...before, statement], false, root);
  const parents = results[0]?.rows ?? [];
  await checkRows(run, root, parents);
  if (parents.length > 1 && related.some((rows) => rows.length > 0)) throw severalParents();
  const rows = parents.map((stored) => {
    const row = new WriteRow('data', new Texts(), new Texts(), related);
    row.stored = stored;
    return row;
  });
  await writeIncluded(run, root, rows);
  return parents.length;
}

/** What tells the rows of an update that does not tell them itself. */
function beforeOf(root: Sentence, values: ParameterValues): Statement[] {
  const { before } = chosenWriteOf(root);
  if (!before) return [];
  return [sentenceStatement({ ...root, ...before }, values, [])];
}

/** The answers to checks, or the keys by which they are asked for, stand behind the columns. */
async function checkRows(run: RunWrites, root: Sentence, rows: readonly Fields[]): Promise<void> {
  const { checks = [], after } = chosenWriteOf(root);
  const told = rows.map((fields) => fields.slice(root.columns.length));
  const answers = after ? await checksAfter(run, root, after, told) : told;
  for (const each of answers) {
    requireChecks(checks, {
      entity: root.entity,
      dialect: root.dialect,
      answers: each,
      place: undefined,
      isWritten: () => true,
    });
  }
}

/** Keys of one statement; fewer repeat the last one up to a power of two. */
const KEYS_AT_ONCE = 512;

async function checksAfter(
  run: RunWrites,
  root: Sentence,
  { head, types }: ChecksAfter,
  keys: readonly Fields[],
): Promise<Fields[]> {
  const answers: Fields[] = [];
  for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
    const some = keys.slice(start, start + KEYS_AT_ONCE);
    const last = some.at(-1) ?? [];
    const size = 2 ** Math.ceil(Math.log2(some.length));
    while (some.length < size) some.push(last);
    const key = `(${types.map(() => '?').join(', ')})`;
    const text = `${head}(${some.map(() => key).join(', ')})`;
    const statement = { text, parameters: some.flat(), types: some.flatMap(() => types) };
    const [written] = await run([statement], false, root);
    answers.push(...(written?.rows ?? []));
  }
  return answers;
}

/** Those of the inclusions stand before their parent's; `chosen`: the rows by whose keys they delete. */
function deleteStatements(
  sentence: Sentence,
  values: ParameterValues,
  chosen: readonly Fields[],
): Statement[] {
  const { keyParts } = chosenWriteOf(sentence);
  const own =
    keyParts === undefined
      ? [statementOf(sentence, values, keysOf(sentence, chosen))]
      : chosen.map((row) => statementOf(sentence, values, row.slice(0, keyParts).map(keyText)));
  return [
    ...sentence.inclusions.flatMap((each) => deleteStatements(each.sentence, values, chosen)),
    ...own,
  ];
}

/** The values of the column that a sentence takes, each once. */
function keysOf({ arguments: given }: Sentence, chosen: readonly Fields[]): readonly string[] {
  const keys = given.find((argument) => argument.kind === 'parentKeys');
  const column = keys?.column;
  if (column === undefined) return [];
  return [...new Set(chosen.flatMap((row) => row[column] ?? []))];
}

function keyText(text: string | null): string {
  invariant(text !== null, 'a part of a primary key');
  return text;
}

function statementOf(
  sentence: Sentence,
  values: ParameterValues,
  keys: readonly string[] = [],
): Statement {
  const statement = sentenceStatement(sentence, values, keys);
  return { ...statement, table: chosenWriteOf(sentence).storedTable };
}

/** The properties that the data has of those that an update may write; undefined where it chose. */
export function presentProperties(
  { presentIn }: ChosenWrite,
  data: DataValue | undefined,
): readonly string[] | undefined {
  if (!presentIn) return undefined;
  const object = valueAt(data ?? null, presentIn.path);
  const place = ['data', ...presentIn.path].join('.');
  const found = presentIn.properties.filter(
    (name) => isDataObject(object) && Object.hasOwn(object, name),
  );
  if (found.length > 0) return found;
  const message = 'The data has no property that the update could set.';
  throw new EngineError('parameter-missing', message, { place });
}

/** The data of each object that names a row by its key: one, or those of a list. */
export function keyedData(
  { action, keyedBy }: ChosenWrite,
  data: DataValue | undefined,
): readonly (DataValue | undefined)[] {
  if (!keyedBy) return [data];
  const { path } = keyedBy;
  const found = valueAt(data ?? null, path);
  const place = ['data', ...path].join('.');
  if (!Array.isArray(found) || action !== 'delete') {
    requireKey(action, keyedBy, found, place);
    return [data];
  }
  const items: readonly DataValue[] = found;
  return items.map((item, index) => {
    requireKey(action, keyedBy, item, `${place}[${index}]`);
    return path.reduceRight<DataValue>((inner, name) => ({ [name]: inner }), item);
  });
}

function requireKey(
  action: string,
  { keys, fixed }: KeyedBy,
  object: DataValue | undefined,
  place: string,
): void {
  const missing = keys.find(
    (key) => (isDataObject(object) ? (object[key] ?? null) : null) === null,
  );
  if (missing !== undefined) throw missingKey(action, missing, `${place}.${missing}`);
  const other = fixed.find(({ property, text }) => {
    const given = isDataObject(object) ? (object[property] ?? null) : null;
    return given !== null && !Array.isArray(given) && String(given) !== text;
  });
  if (other) {
    throw new EngineError('constraint-unmet', `${other.message}.`, {
      place: `${place}.${other.property}`,
    });
  }
}

function missingKey(action: string, key: string, place: string): EngineError {
  const message = `'${action}' takes a filter, or the key '${key}' in the data: nothing was touched.`;
  const hint = `To ${action} every row, use ${action}All().`;
  return new EngineError('parameter-missing', message, { place, hint });
}

function severalParents(): EngineError {
  const message =
    'The filter chooses several rows: it is not clear which of them the included rows belong to.';
  return new EngineError('wrong-arguments', message);
}
