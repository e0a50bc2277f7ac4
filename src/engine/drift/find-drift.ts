/** Finds the differences between a mapping and its tables that would make requests fail. */
import type { ColumnDefinition, DdlDialect } from '../dialects/ddl-dialect.js';
import { dialectOf } from '../dialects/dialects.js';
import { collectTables } from '../ddl/collect-tables.js';
import { columnKeyOf, columnNamed } from '../ddl/columns-of.js';
import { type ExistingColumn, type ExistingTable, isNeeded, mustBeGiven } from '../ddl/existing.js';
import { findTableIn, type TableKeys, tableKeysOf } from '../ddl/find-table.js';
import type { DdlRequest } from '../ddl/plan-push.js';
import { present } from '../schema/decode-value.js';
import { hasColumn } from '../schema/derive-property.js';
import type { Enum, MappingEntity, MappingProperty, Property } from '../schema/model.js';
import { otherColumn, otherTable } from '../ddl/other-case.js';
import { refusedValues } from './enum-drift.js';
import { keyDrift } from './key-drift.js';
import { keyTypeDrift } from './key-type-drift.js';
import { collationDrift, referenceDrift } from './reference-drift.js';
import { mappedType } from '../introspect/column-types.js';
import { disagreement } from './type-agreement.js';
import { storedTable } from '../dialects/table-name.js';

export interface Drift {
  /** `Invoice`, or `Invoice.total`. */
  readonly place: string;
  /** A sentence. */
  readonly why: string;
}

export type DriftRequest = Omit<DdlRequest, 'database'>;

/** All differences, in the order of the domain. */
export function findDrift(request: DriftRequest): readonly Drift[] {
  const { mapping, dialect, existing } = request;
  const ddl = dialectOf(dialect).ddl;
  const find = findTableIn(existing);
  const keyOf = tableKeysOf(request);
  const { tables } = collectTables(request);
  const shared = new Map(
    tables.flatMap(({ key, columns }) => columns.map((each) => [`${key}\0${each.key}`, each])),
  );
  const isTable = ({ mapping: name }: MappingEntity) =>
    tables.some(({ key }) => key === keyOf(name));
  return mapping.entities.flatMap((entity): readonly Drift[] => {
    const table = find(storedTable(ddl, entity.mapping));
    if (!table) {
      const why = absence(entity, ddl, isTable(entity));
      return [{ place: entity.name, why: why + otherTable(entity.mapping, request) }];
    }
    const references = { mapping, dialect, ddl, find };
    return [
      ...entityDrift(entity, table, { ...request, ddl, keyOf, shared }),
      ...keyDrift(entity, table, ddl),
      ...referenceDrift(entity, table, references),
      ...collationDrift(entity, table, references),
      ...keyTypeDrift(entity, references),
    ];
  });
}

function absence(
  { mapping }: MappingEntity,
  { hidesTables }: DdlDialect,
  isTable: boolean,
): string {
  const alternative = hidesTables ? ', or the user has no right to it' : '';
  if (isTable) return `The table ${mapping} does not exist${alternative}.`;
  return `The view ${mapping} does not exist${alternative}. push does not create it, because the entity is read-only.`;
}

interface Context extends DriftRequest {
  readonly ddl: DdlDialect;
  readonly keyOf: TableKeys;
  /** The columns that `push` makes, by the keys of table and column. Several entities may share one. */
  readonly shared: ReadonlyMap<string, ColumnDefinition>;
}

function entityDrift(entity: MappingEntity, table: ExistingTable, context: Context): Drift[] {
  const { ddl, dialect } = context;
  const stored = entity.properties.filter(hasColumn);
  const drift = stored.flatMap((property): Drift[] => {
    const place = `${entity.name}.${property.name}`;
    const column = columnNamed(table, columnKeyOf(property, ddl), ddl);
    const why = column
      ? columnDrift(entity, property, column, context)
      : [
          `The table ${entity.mapping} has no column ${property.mapping}.${otherColumn(property, table, dialect)}`,
        ];
    return why.map((each) => ({ place, why: each }));
  });
  if (entity.view) return drift;
  const known = new Set(stored.map((each) => columnKeyOf(each, ddl)));
  const unknown = table.columns.filter(
    (column) => isOmitted(table, column, context) && !known.has(ddl.columnKey(column.name)),
  );
  const needed = unknown.map(({ name }) => ({
    place: entity.name,
    why: `The column ${name} is required but not mapped, so inserts fail.`,
  }));
  return [...drift, ...needed];
}

/** Whether inserts fail because no property has the column, although one could: introspect would have made one. */
export function isOmitted(
  table: ExistingTable,
  column: ExistingColumn,
  { dialect }: Pick<DriftRequest, 'dialect'>,
): boolean {
  const isMappable = !column.isUnreadable && mappedType(column, dialect) !== undefined;
  return isMappable && mustBeGiven(table, column);
}

function columnDrift(
  entity: MappingEntity,
  property: MappingProperty,
  column: ExistingColumn,
  { dialect, enums, ddl, keyOf, shared }: Context,
): readonly string[] {
  const isRead = entity.view || property.view === true;
  const isConverted = property.readMappingExp !== undefined;
  const made = shared.get(`${keyOf(entity.mapping)}\0${columnKeyOf(property, ddl)}`);
  const { digits, ...others } = withinEnum(property, enums);
  const compared = { ...others, ...present({ digits: made ? made.digits : digits }) };
  const other = disagreement(compared, column, dialect, isRead === true);
  if (other !== undefined && !isConverted) return [other];
  if (other !== undefined && !isRead && !changesValue(property)) {
    return [`${other.slice(0, -1)}, so writes fail: mark it with 'view: true' if it is only read.`];
  }
  const refused = isRead && isConverted ? [] : refusedValues(property, column, enums);
  return isRead ? refused : [...writeDrift(entity, property, column, made), ...refused];
}

/** Whether another value is stored than the one that is given. */
function changesValue({ writeValue, writeExp }: Property): boolean {
  return writeValue !== undefined || writeExp !== undefined;
}

/** The property with the length of the longest value of its enum, because others are refused. */
function withinEnum(property: MappingProperty, enums: readonly Enum[]): MappingProperty {
  const values = enums.find(({ name }) => name === property.enum)?.values;
  if (!values || changesValue(property)) return property;
  const longest = Math.max(0, ...values.map(({ value }) => [...String(value)].length));
  return { ...property, length: Math.min(longest, property.length ?? longest) };
}

function writeDrift(
  { primaryKey }: MappingEntity,
  property: MappingProperty,
  column: ExistingColumn,
  made: ColumnDefinition | undefined,
): readonly string[] {
  const { name, required, autoIncrement, default: fallback, databaseDefault } = property;
  if (column.origin === 'computed')
    return ['The database computes the column, so it is read-only.'];
  const isRequired = required || autoIncrement === true || primaryKey.includes(name);
  const isFilled = fallback !== undefined || databaseDefault === true || property.key !== undefined;
  if (autoIncrement && column.origin !== 'numbered') {
    const advice = 'write databaseDefault if its default makes the keys';
    return [`It is autoIncrement, but the column has no sequence: ${advice}.`];
  }
  // Rows of other entities may have null there.
  const isOptionalElsewhere = required && made?.required === false;
  if (isRequired && !isOptionalElsewhere && column.isNullable)
    return ['It is required, but the column allows null.'];
  if (!isRequired && !isFilled && isNeeded(column)) {
    return ['It allows null, but the column does not.'];
  }
  return [];
}
