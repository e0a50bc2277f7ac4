/**
 * Finds the staged row that violates a constraint on PostgreSQL, and its place in the document. The failed statement
 * is undone for that.
 */
import { dialectOf, type Fields } from '../../engine/index.js';
import { writtenTexts } from '../database/read-texts.js';
import { ancestorsOf } from '../database/postgresql/ancestors.js';
import { SourceError, type SourceErrorCode, type Violation } from '../database/source-error.js';
import { plain, type Statement } from '../database/statement.js';
import type { Run } from './source-import.js';
import { type Staged, temporaryName, writtenColumns } from './staged-statements.js';

/** Stand before and after a statement whose failure is to be placed. */
export const SAVEPOINT = plain('SAVEPOINT rowgate_import');
export const RELEASE = plain('RELEASE SAVEPOINT rowgate_import');

/** Undoes the statement that stands between them. */
export const UNDO = plain('ROLLBACK TO SAVEPOINT rowgate_import');
/** A search ends after a second, however many rows there are. */
const LIMIT = plain("SET LOCAL statement_timeout = '1s'");

const { quoteAlias } = dialectOf('PostgreSQL');

/** Runs a statement of the search; returns its rows. */
type Search = (statement: Statement) => Promise<readonly Fields[]>;

/** The error with the place of its row, if that is found. */
export async function placedFault(
  error: unknown,
  stages: readonly Staged[],
  run: Run,
): Promise<unknown> {
  const search = async (statement: Statement) =>
    writtenTexts((await run([UNDO, LIMIT, statement])).at(-1));
  if (!(error instanceof SourceError) || !error.violation || isOfFunction(error)) return error;
  const { violation } = error;
  let known = error;
  try {
    const stage = await stageOf(violation, stages, search);
    if (!stage) return error;
    // It may be in another schema than its partition.
    const table = stage.entity.write.storedTable;
    if (table !== violation.table)
      known = error.with({ violation: { ...violation, schema: undefined, table } });
    const condition = await findCondition(error.code, violation, stage, search);
    if (!condition) return known;
    // Of equal rows, the last one is the duplicate.
    const order = error.code === 'unique-violation' ? 'DESC' : 'ASC';
    const [[place] = []] = await search(searchStatement(stage, condition, order));
    return typeof place === 'string' ? known.with({ place }) : known;
  } catch {
    // The violation says more than the failure of the search.
    return known;
  }
}

/** The stage of the table, or of the table of which it is a partition. */
async function stageOf(
  violation: Violation,
  stages: readonly Staged[],
  search: Search,
): Promise<Staged | undefined> {
  const stageIn = (tables: readonly unknown[]) =>
    stages.find(({ entity }) => tables.includes(entity.write.storedTable));
  const own = stageIn([violation.table]);
  if (own) return own;
  return stageIn((await search(ancestorsOf(violation))).flat());
}

/** Its values are not those of a staged row then. PostgreSQL adds the context of triggers and functions. */
function isOfFunction({ cause }: SourceError): boolean {
  return cause instanceof Error && 'where' in cause && cause.where !== undefined;
}

/** What the wrong rows have in common, in the names of the table. */
type Condition = Pick<Statement, 'text' | 'parameters'>;

/** The condition for the null that the database has reported. */
function nullCondition(stage: Staged, [name = '']: readonly string[]): Condition {
  if (writtenColumns(stage).some(({ storedColumn }) => storedColumn === name))
    return plain(`${quoteAlias(name)} IS NULL`);
  // Each row is wrong, unless a default makes the null.
  const found = 'SELECT FROM pg_attribute WHERE attrelid = $2::regclass AND attname = $1';
  return { text: `NOT EXISTS (${found} AND atthasdef)`, parameters: [name] };
}

/** The condition for the key that the database has reported. */
function keyCondition({ columns, values }: Violation): Condition | undefined {
  // A null is reported like the string "null".
  const isKnown = values.length > 0 && values.length === columns.length && !values.includes('null');
  if (!isKnown) return undefined;
  const equal = columns.map((name, index) => `${quoteAlias(name)} = $${index + 1}`);
  return { text: equal.join(' AND '), parameters: values };
}

const TABLE = "format('%I.%I', $1::text, $2::text)::regclass";

/** The expression of a CHECK constraint or of a partial index; undefined if there is none of this name. */
const READ_EXPRESSION = [
  'SELECT pg_get_expr(conbin, conrelid) FROM pg_constraint',
  `WHERE conrelid = ${TABLE} AND conname = $3 AND contype = 'c'`,
  'UNION ALL SELECT pg_get_expr(indpred, indrelid) FROM pg_index JOIN pg_class ON oid = indexrelid',
  `WHERE indrelid = ${TABLE} AND relname = $3`,
].join(' ');

async function findCondition(
  code: SourceErrorCode,
  violation: Violation,
  stage: Staged,
  search: Search,
): Promise<Condition | undefined> {
  if (code === 'not-null-violation') return nullCondition(stage, violation.columns);
  const key = keyCondition(violation);
  if (code === 'foreign-key-violation') return key;
  const { schema = null, table = null, constraint = null } = violation;
  const [row] = await search(plain(READ_EXPRESSION, [schema, table, constraint]));
  const expression = row?.[0] ?? undefined;
  if (code === 'check-violation')
    return expression === undefined ? undefined : plain(`NOT (${expression})`);
  if (!key || !row) return undefined;
  return expression === undefined ? key : { ...key, text: `${key.text} AND (${expression})` };
}

/** Nothing is found if a trigger may have changed the values before they were stored. */
function searchStatement(
  stage: Staged,
  { text, parameters }: Condition,
  order: 'ASC' | 'DESC',
): Statement {
  const { number, write } = stage.entity;
  const columns = writtenColumns(stage).map(({ column, value }) => `${value} AS ${column}`);
  const own = ['place AS rowgate_place', 'ctid AS rowgate_line', ...columns];
  const triggers = `SELECT FROM pg_trigger WHERE tgrelid = $${parameters.length + 1}::regclass`;
  // The bits are ROW, BEFORE and INSERT.
  const isUnchanged = `NOT EXISTS (${triggers} AND tgtype & 7 = 7)`;
  return plain(
    `SELECT rowgate_place FROM (SELECT ${own.join(', ')} FROM ${temporaryName(number)}) AS rowgate_staged ` +
      `WHERE ${text} AND ${isUnchanged} ORDER BY rowgate_line ${order} LIMIT 1`,
    [...parameters, write.table],
  );
}
