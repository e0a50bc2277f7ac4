/** Converts properties to columns. */
import type { MappingEntity, MappingProperty } from '../schema/model.js';
import type { ColumnDefinition, DdlDialect } from '../dialects/ddl-dialect.js';

/** The columns of an entity's properties; unknown names are ignored. */
export function columnsOf(
  entity: MappingEntity,
  names: readonly string[],
  columns: readonly ColumnDefinition[],
  dialect: DdlDialect,
): readonly ColumnDefinition[] {
  return names.flatMap((name) => {
    const property = entity.properties.find((candidate) => candidate.name === name);
    if (property === undefined) return [];
    const key = columnKeyOf(property, dialect);
    return columns.filter((column) => column.key === key);
  });
}

/** The name of a property's column in the form in which columns are compared. */
export function columnKeyOf(property: MappingProperty, dialect: DdlDialect): string {
  return dialect.columnKey(dialect.storedName(property.mapping));
}

/** The same columns in another order are the same key. */
export function sortedText(columns: readonly string[]): string {
  return [...columns].sort().join('\0');
}
