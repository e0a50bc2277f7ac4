/** Advice for names of the schema file that differ only by case from what exists. */
import type { ExistingTable } from './existing.js';
import { dialectOf } from '../dialects/dialects.js';
import { storedTable } from '../dialects/table-name.js';
import { columnMapping, tableMapping } from './mapping-names.js';
import type { DialectName, MappingProperty } from '../schema/model.js';

/** A sentence after a space if there is such a table; otherwise the empty text. */
export function otherTable(
  mapping: string,
  {
    dialect,
    existing,
  }: { readonly dialect: DialectName; readonly existing: readonly ExistingTable[] },
): string {
  const { schema, name } = storedTable(dialectOf(dialect).ddl, mapping);
  const isThere = (table: ExistingTable) =>
    schema === undefined ? table.isVisible : table.schema === schema;
  const other = existing.find((table) => isThere(table) && differByCase(table.name, name));
  if (!other) return '';
  const isVisible = schema === undefined;
  return ` There is "${other.name}": ${advice(tableMapping({ ...other, isVisible }, dialect))}`;
}

/** The same for a column of a table. */
export function otherColumn(
  { mapping }: Pick<MappingProperty, 'mapping'>,
  { columns }: ExistingTable,
  dialect: DialectName,
): string {
  const name = dialectOf(dialect).ddl.storedName(mapping);
  const other = columns.find((column) => differByCase(column.name, name));
  return other ? ` It has "${other.name}": ${advice(columnMapping(other.name, dialect))}` : '';
}

function advice(mapping: string): string {
  return `write mapping: '${mapping.replaceAll("'", "''")}'.`;
}

function differByCase(one: string, other: string): boolean {
  return one !== other && one.toLowerCase() === other.toLowerCase();
}
