/** Writes rows of an import as statements of MySQL and MariaDB: inserts of many similar rows. */
import { dialectOf, rowsAtOnce, type WriteField, writtenSql } from '../../engine/index.js';
import { plain, type Statement } from '../database/statement.js';
import type { ImportEntity } from './import-entity.js';
import { type ImportRow, textOf } from './row-reader.js';

/** Rows of one entity with the same properties. */
export interface LikeRows {
  readonly entity: ImportEntity;
  readonly fields: readonly WriteField[];
  readonly rows: readonly ImportRow[];
}

/** Groups rows with the same properties. Rows with explicit keys come first, so that the database makes no such key. */
export function groupRows(rows: readonly ImportRow[]): readonly LikeRows[] {
  const groups = new Map<string, LikeRows & { readonly rows: ImportRow[] }>();
  for (const row of rows) {
    const { entity } = row;
    let mask = `${entity.number} `;
    for (const { property } of entity.fields) {
      mask += textOf(row.row, property) === undefined ? '-' : '+';
    }
    const group = groups.get(mask);
    if (group) group.rows.push(row);
    else groups.set(mask, { entity, fields: writtenFields(row), rows: [row] });
  }
  const makesKeys = (group: LikeRows) => Number(madeKey(group) !== undefined);
  return [...groups.values()].sort((one, other) => makesKeys(one) - makesKeys(other));
}

/** Omitted properties get the default of their column, unless a `writeExp` computes a value. */
export function writtenFields({ entity, row }: ImportRow): readonly WriteField[] {
  return entity.fields.filter(
    ({ property, writeExp }) => writeExp || textOf(row, property) !== undefined,
  );
}

/** The key that the database generates for the rows, if it does. */
export function madeKey({ entity, fields }: LikeRows): WriteField | undefined {
  return entity.generated.find((field) => !fields.includes(field));
}

/** Splits a group into the parts for single statements, whose size the server limits. */
export function* partsOf({ entity, fields, rows }: LikeRows): Generator<LikeRows> {
  const { dialect } = entity.statement;
  const width = fields.length;
  const own = rows.map(({ row }) => row);
  for (let start = 0; start < rows.length; ) {
    const count = width === 0 ? 1 : rowsAtOnce(dialect, width, own, start);
    yield { entity, fields, rows: rows.slice(start, start + count) };
    start += count;
  }
}

export function insertStatement({ entity, fields, rows }: LikeRows): Statement {
  const { table, storedTable, storedSchema: schema } = entity.write;
  const dialect = dialectOf(entity.statement.dialect);
  if (fields.length === 0) {
    return { ...plain(dialect.writes.defaultRow(table)), table: storedTable, schema };
  }
  const row = `(${fields.map((field) => writtenSql(dialect, field, '?')).join(', ')})`;
  const values = Array.from({ length: rows.length }, () => row).join(', ');
  const text = `INSERT INTO ${table} (${fields.map(({ column }) => column).join(', ')}) VALUES ${values}`;
  const parameters = rows.flatMap((each) =>
    fields.map(({ property, type }) => {
      const value = textOf(each.row, property) ?? null;
      return value === null ? null : dialect.scalar(value, type);
    }),
  );
  const types = rows.flatMap(() => fields.map(({ type }) => type));
  const alone = (row: number) =>
    insertStatement({ entity, fields, rows: rows.slice(row, row + 1) });
  const rowByRow = { rows: rows.length, alone };
  return { text, parameters, types, table: storedTable, schema, rowByRow };
}

/** Reads the keys that the database generated for the rows just inserted, in their order. */
export function generatedKeysStatement(
  { entity, rows }: LikeRows,
  { column }: WriteField,
): Statement {
  const condition = dialectOf(entity.statement.dialect).writes.generatedKeys(column, rows.length);
  const { table } = entity.write;
  return plain(`SELECT ${column} FROM ${table} WHERE ${condition} ORDER BY ${column}`);
}
