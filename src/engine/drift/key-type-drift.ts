/** Finds relations to columns that PostgreSQL cannot compare with a list of keys of the property's type. */
import { columnKeyOf, columnNamed } from '../ddl/columns-of.js';
import type { ExistingTable } from '../ddl/existing.js';
import type { FindTable } from '../ddl/find-table.js';
import type { DdlDialect } from '../dialects/ddl-dialect.js';
import { storedTable } from '../dialects/table-name.js';
import { mappedType } from '../introspect/column-types.js';
import type {
  DialectName,
  Mapping,
  MappingEntity,
  MappingProperty,
  PropertyType,
} from '../schema/model.js';
import type { Drift } from './find-drift.js';

interface Context {
  readonly mapping: Mapping;
  readonly dialect: DialectName;
  readonly ddl: DdlDialect;
  readonly find: FindTable;
}

/** Types that are compared only with themselves. */
const apart: ReadonlySet<PropertyType> = new Set(['uuid', 'interval', 'inet', 'json']);

/** The relations of an entity, in both directions, that an include cannot follow. */
export function keyTypeDrift({ name: own, relations }: MappingEntity, context: Context): Drift[] {
  const { mapping, dialect, ddl, find } = context;
  if (dialect !== 'PostgreSQL') return [];
  return relations.flatMap((relation) => {
    const other = mapping.entities.find(({ name }) => name === relation.entity);
    const table = other && find(storedTable(ddl, other.mapping));
    if (!table) return [];
    const keys = other.properties.filter(({ name }) => relation.to.includes(name));
    return keys.flatMap((property) => {
      const column = incomparable(property, table, context);
      if (column === undefined) return [];
      const why = `Property '${property.name}' of ${other.name} has type ${property.type}, but the type of its column is ${column}, so 'include' cannot follow the relation.`;
      return [{ place: `${own}.${relation.name}`, why }];
    });
  });
}

/** The type of the column, if it cannot be compared with values of the property's type. */
function incomparable(
  property: MappingProperty,
  table: ExistingTable,
  { dialect, ddl }: Context,
): string | undefined {
  const { type, readMappingExp } = property;
  if (readMappingExp !== undefined) return undefined;
  const column = columnNamed(table, columnKeyOf(property, ddl), ddl);
  const stored = column && mappedType(column, dialect)?.type;
  if (stored === undefined || stored === type) return undefined;
  return apart.has(type) || apart.has(stored) ? column?.declared : undefined;
}
