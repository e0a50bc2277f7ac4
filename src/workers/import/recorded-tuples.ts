/** Values of imported rows, in a temporary table of MySQL or MariaDB until all rows are there. */
import { dialectOf, type PropertyType } from '../../engine/index.js';
import { writtenTexts } from '../database/read-texts.js';
import { plain, type Statement } from '../database/statement.js';
import { type ImportRow, textOf } from './row-reader.js';
import type { Run } from './source-import.js';

/** A temporary table. Its columns are `line`, the number of a tuple, and `c0`, `c1` … */
export interface TupleTable {
  readonly name: string;
  /** The columns of the entity's table whose values it has. */
  readonly columns: readonly string[];
  /** The type of each column's property, if it has one. */
  readonly types: readonly (PropertyType | undefined)[];
}

/** Values of a row; undefined stands for the default of the column. */
export interface Tuple {
  readonly values: readonly (string | undefined)[];
  readonly place: string;
}

const { quoteAlias, scalar } = dialectOf('MariaDB');
const { rowsAtOnce } = dialectOf('MariaDB').writes;

/** Creates the temporary table; its columns have the types of those of `table`. */
export async function createTuples(run: Run, own: TupleTable, table: string): Promise<void> {
  const list = own.columns.map((column, index) => `${quoteAlias(column)} AS c${index}`).join(', ');
  // A server may be configured to refuse tables without a primary key.
  const key = 'line BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY';
  const first = `${key}, places MEDIUMTEXT`;
  const text = `CREATE TEMPORARY TABLE ${own.name} (${first}) SELECT ${list} FROM ${table} LIMIT 0`;
  await run([plain(text)]);
}

export async function recordTuples(
  run: Run,
  table: TupleTable,
  tuples: readonly Tuple[],
): Promise<void> {
  for (let start = 0; start < tuples.length; ) {
    const count = rowsAtOnce(tuples.length - start, table.columns.length);
    await run([recordStatement(table, tuples.slice(start, start + count))]);
    start += count;
  }
}

/** Which columns of the temporary table have a default: that of the entity's table, unless it reads other columns. */
export async function defaultsOf(run: Run, { name, columns }: TupleTable) {
  const [found] = await run([plain(`SHOW COLUMNS FROM ${name}`)]);
  const rows = writtenTexts(found);
  return columns.map(
    (_, index) => (rows.find(([own]) => own === `c${index}`)?.[4] ?? null) !== null,
  );
}

/** The value of a property of a row; null if there is none, undefined if it is left to the database. */
export function valueOf({ entity, row }: ImportRow, property: string): string | null | undefined {
  const text = textOf(row, property);
  return typeof text === 'string' ? scalar(text, entity.field(property)?.type ?? 'string') : text;
}

/** The place that a line was recorded with. */
export async function placeOfTuple(
  run: Run,
  { name }: TupleTable,
  line: string | null,
): Promise<string | undefined> {
  const rows = `FROM ${name} WHERE line`;
  const last = `${rows} <= ? AND places IS NOT NULL ORDER BY line DESC LIMIT 1`;
  const [found] = await run([plain(`SELECT line, places ${last}`, [line])]);
  const [[first = null, places] = []] = writtenTexts(found);
  // A server may number lines in steps.
  const [counted] = await run([plain(`SELECT count(*) ${rows} BETWEEN ? AND ?`, [first, line])]);
  const [[count] = []] = writtenTexts(counted);
  return places?.split('\n')[Number(count) - 1];
}

/** The first line has the places of all, because a place in each line takes longer. */
function recordStatement(
  { name, columns, types }: TupleTable,
  tuples: readonly Tuple[],
): Statement {
  const into = `${name} (places, ${columns.map((_, index) => `c${index}`).join(', ')})`;
  const rows = tuples.map(({ values }, index) => {
    const own = values.map((value) => (value === undefined ? 'DEFAULT' : '?'));
    return `(${[index === 0 ? '?' : 'NULL', ...own].join(', ')})`;
  });
  const text = `INSERT INTO ${into} VALUES ${rows.join(', ')}`;
  const places = tuples.map(({ place }) => place).join('\n');
  const given = tuples.flatMap(({ values }) =>
    values.flatMap((value, index) => (value === undefined ? [] : [{ value, type: types[index] }])),
  );
  return {
    text,
    parameters: [places, ...given.map(({ value }) => value)],
    types: ['string', ...given.map(({ type }) => type)],
  };
}
