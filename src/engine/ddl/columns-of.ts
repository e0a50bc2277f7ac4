/** Converts properties to columns. */
import type { MappingEntity, MappingProperty } from '../schema/model.js';
import type { ColumnDefinition, DdlDialect } from '../dialects/ddl-dialect.js';
import type { ExistingTable } from './existing.js';

/** The columns of an entity's properties; unknown names are ignored. */
export function columnsOf(
  entity: MappingEntity,
  names: readonly string[],
  columns: readonly ColumnDefinition[],
  dialect: DdlDialect,
): readonly ColumnDefinition[] {
  const keys = columnKeysOf(entity, names, dialect);
  return keys.flatMap((key) => columns.filter((column) => column.key === key));
}

/** The same names of columns; unknown properties are ignored. */
export function columnKeysOf(
  { properties }: Pick<MappingEntity, 'properties'>,
  names: readonly string[],
  dialect: DdlDialect,
): readonly string[] {
  return names.flatMap((name) => {
    const property = properties.find((candidate) => candidate.name === name);
    return property ? [columnKeyOf(property, dialect)] : [];
  });
}

/** The name of a property's column in the form in which columns are compared. */
export function columnKeyOf(property: MappingProperty, dialect: DdlDialect): string {
  return dialect.columnKey(dialect.storedName(property.mapping));
}

/** The existing column of that name, in that form. */
export function columnNamed({ columns }: ExistingTable, key: string, { columnKey }: DdlDialect) {
  return columns.find(({ name }) => columnKey(name) === key);
}

/** The same columns in another order are the same key. */
export function sortedText(columns: readonly string[]): string {
  return [...columns].sort().join('\0');
}
