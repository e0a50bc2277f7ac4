/** Finds what the database has and a mapping lacks. None of it makes requests fail. */
import { dialectOf } from '../dialects/dialects.js';
import { storedTable } from '../dialects/table-name.js';
import { columnKeyOf, columnNamed } from '../ddl/columns-of.js';
import { type ExistingColumn, type ExistingTable, mustBeGiven, placeOf } from '../ddl/existing.js';
import { findTableIn, mayBeMapped } from '../ddl/find-table.js';
import { mappedType } from '../introspect/column-types.js';
import type { DialectName, MappingEntity } from '../schema/model.js';
import { unlistedValues } from './enum-drift.js';
import { type Drift, type DriftRequest, isOmitted } from './find-drift.js';

/**
 * The tables without an entity, the columns without a property, and the values that an enum lacks, in the order of
 * the database, in the schemas of the mapped tables. Tables of extensions and partitions are left out, and so are the required
 * columns that {@link findDrift} reports.
 */
export function findUnmapped({
  mapping,
  enums,
  dialect,
  existing,
}: DriftRequest): readonly Drift[] {
  const { ddl } = dialectOf(dialect);
  const find = findTableIn(existing);
  const entitiesOf = new Map<ExistingTable, MappingEntity[]>();
  for (const entity of mapping.entities) {
    const table = find(storedTable(ddl, entity.mapping));
    if (table) entitiesOf.set(table, [...(entitiesOf.get(table) ?? []), entity]);
  }
  const unmappedColumns = (table: ExistingTable, entities: readonly MappingEntity[]): Drift[] => {
    const known = new Set(
      entities.flatMap(({ properties }) => properties.map((each) => columnKeyOf(each, ddl))),
    );
    const isReported = (column: ExistingColumn) =>
      isOmitted(table, column, { dialect }) && entities.some(({ view }) => !view);
    return table.columns
      .filter(({ name }) => !known.has(ddl.columnKey(name)))
      .filter((column) => !isReported(column))
      .map((column) => ({
        place: entities.map((entity) => entity.name).join(', '),
        why: `The column ${column.name} is not mapped${unsupported(column, dialect)}.${effect(table, column, entities)}`,
      }));
  };
  const unmappedValues = (table: ExistingTable, { name, properties }: MappingEntity) =>
    properties.flatMap((property): Drift[] => {
      const column = columnNamed(table, columnKeyOf(property, ddl), ddl);
      const why = column ? unlistedValues(property, column, enums) : [];
      return why.map((each) => ({ place: `${name}.${property.name}`, why: each }));
    });
  const schemas = new Set([...entitiesOf.keys()].map(({ schema }) => schema));
  const compared = existing.filter((table) => mayBeMapped(table) && schemas.has(table.schema));
  return compared.flatMap((table): readonly Drift[] => {
    const entities = entitiesOf.get(table);
    if (entities) {
      const values = entities.flatMap((entity) => unmappedValues(table, entity));
      return [...values, ...unmappedColumns(table, entities)];
    }
    const place = table.isVisible ? table.name : placeOf(table);
    return [{ place, why: `The ${table.kind} is not mapped.` }];
  });
}

function unsupported(column: ExistingColumn, dialect: DialectName): string {
  if (column.isUnreadable) return ': the user may not read it';
  return mappedType(column, dialect) ? '' : `: the type ${column.declared} is not supported`;
}

/** What a required column means for the entities of its table that are written. */
function effect(
  table: ExistingTable,
  column: ExistingColumn,
  entities: readonly MappingEntity[],
): string {
  const isWritten = entities.some(({ view }) => !view);
  return isWritten && mustBeGiven(table, column) ? ' It is required, so inserts fail.' : '';
}
