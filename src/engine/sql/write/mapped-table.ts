/**
 * Translates names from the database's catalog to those of the schema, for errors that the database
 * reports.
 */
import type { MappingEntity, Schema } from '../../schema/model.js';
import type { Dialect } from '../../dialects/dialect.js';
import { dialectOf } from '../../dialects/dialects.js';
import { type StoredTable, storedTable } from '../../dialects/table-name.js';

/**
 * The entities of a source whose table has this name in the database's catalog. Of tables with the same name, those
 * in the schema are preferred, then those whose mapping names none.
 */
export function entitiesOfTable(
  schema: Schema,
  sourceName: string,
  { name: table, schema: place }: StoredTable,
): readonly MappingEntity[] {
  const source = schema.sources.find(({ name }) => name === sourceName);
  const mapping = schema.mappings.find(({ name }) => name === source?.mapping);
  if (!source || !mapping) return [];
  const dialect = dialectOf(source.dialect);
  const stored = (entity: MappingEntity) => storedTable(dialect, entity.mapping);
  const named = mapping.entities.filter((entity) => isNamed(dialect, stored(entity).name, table));
  if (place === undefined) return named;
  const inPlace = named.filter((entity) => isNamed(dialect, stored(entity).schema ?? '', place));
  const unplaced = named.filter((entity) => stored(entity).schema === undefined);
  return [inPlace, unplaced].find(({ length }) => length > 0) ?? named;
}

/** The property whose column has this name in the database's catalog. */
export function propertyOfColumn(
  schema: Schema,
  sourceName: string,
  entity: MappingEntity,
  column: string,
): string | undefined {
  const source = schema.sources.find(({ name }) => name === sourceName);
  if (!source) return undefined;
  const dialect = dialectOf(source.dialect);
  return entity.properties.find(({ mapping }) =>
    isNamed(dialect, dialect.storedName(mapping), column),
  )?.name;
}

/** Whether two stored names are the same. MySQL may report names in another case. */
function isNamed({ ddl }: Dialect, own: string, stored: string): boolean {
  return ddl.columnKey(own) === ddl.columnKey(stored);
}
