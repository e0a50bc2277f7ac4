/** Finds columns that look like flags, but are keys: MySQL and MariaDB declare both as `tinyint(1)`. */
import { type ExistingColumn, type ExistingTable, placeOf } from '../ddl/existing.js';

const FLAG = 'tinyint(1)';

/**
 * The tables with numbers for the flags that are part of a primary key, a unique key by themselves, or at one end of a
 * foreign key whose other end is a number.
 */
export function withNumbersInKeys(tables: readonly ExistingTable[]): readonly ExistingTable[] {
  const numbers = new Set(tables.flatMap(keysOfNumbers));
  const pairs = referencesIn(tables);
  const isNumber = (column: ExistingColumn) => column.type !== FLAG || numbers.has(column);
  for (let known = -1; known !== numbers.size; ) {
    known = numbers.size;
    for (const [one, other] of pairs) if (isNumber(other)) numbers.add(one);
  }
  return tables.map((table) => ({
    ...table,
    columns: table.columns.map((each) =>
      each.type === FLAG && numbers.has(each) ? { ...each, type: 'tinyint' } : each,
    ),
  }));
}

function keysOfNumbers(table: ExistingTable): readonly ExistingColumn[] {
  const { primaryKey = [], uniqueKeys, columns } = table;
  const names = [primaryKey, ...uniqueKeys.filter(({ length }) => length === 1)].flat();
  return columns.filter(({ name, type }) => type === FLAG && names.includes(name));
}

/** The columns at both ends of foreign keys, in both directions. */
function referencesIn(
  tables: readonly ExistingTable[],
): readonly (readonly [ExistingColumn, ExistingColumn])[] {
  const byPlace = new Map(tables.map((table) => [placeOf(table), table]));
  return tables.flatMap((table) =>
    table.foreignKeys.flatMap((key) => {
      const target = byPlace.get(placeOf({ schema: key.schema, name: key.table }));
      return key.columns.flatMap((name, index) => {
        const from = table.columns.find((column) => column.name === name);
        const to = target?.columns.find((column) => column.name === key.targetColumns[index]);
        return from && to ? [[from, to] as const, [to, from] as const] : [];
      });
    }),
  );
}
