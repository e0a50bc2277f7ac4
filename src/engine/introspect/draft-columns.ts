/** Drafts the columns of a table as properties. */
import { type ExistingColumn, type ExistingTable, isNeeded, placeOf } from '../ddl/existing.js';
import { columnMapping } from '../ddl/mapping-names.js';
import type { DialectName } from '../schema/model.js';
import { columnDefault } from './default-value.js';
import type { EnumNames } from './enum-names.js';
import { type MappedType, mappedType } from './column-types.js';
import type { DraftProperty, Remark } from './schema-draft.js';
import { UniqueNames } from './unique-names.js';
import { memberName } from './words.js';

/**
 * Drafts the columns in their order, as properties by the names of the columns, with remarks about those that are
 * omitted. A duplicate name gets a number.
 */
export function draftColumns(table: ExistingTable, dialect: DialectName, enums: EnumNames) {
  const names = new UniqueNames();
  const byColumn = new Map<string, DraftProperty>();
  const remarks: Remark[] = [];
  for (const column of table.columns) {
    const type = column.isUnreadable ? undefined : mappedType(column, dialect);
    if (type === undefined) remarks.push(unmapped(table, column));
    else {
      const name = names.take(memberName(column.name));
      const enumName = column.enum && enums.nameOf(table, column, column.enum);
      if (column.enum?.isDomain) remarks.push(incomparable(table, column, name));
      const isReference = table.foreignKeys.some(({ columns }) => columns.includes(column.name));
      if (column.type === 'citext' && isReference) remarks.push(caseOf(table, column));
      const isKey = table.primaryKey?.includes(column.name) === true;
      byColumn.set(column.name, {
        name,
        type: type.type,
        mapping: columnMapping(column.name, dialect),
        content: {
          name,
          ...typeMembers(type),
          ...defaultMembers(column, type, isKey),
          ...(enumName !== undefined && { enum: enumName }),
          ...(column.comment !== undefined && { description: column.comment }),
        },
      });
    }
  }
  return { byColumn, remarks };
}

function typeMembers({ type, isLong, length, digits }: MappedType) {
  return {
    ...(type === 'string'
      ? { length: length ?? 'max' }
      : { type: isLong ? type.replace('integer', 'bigint') : type }),
    ...(digits && { precision: digits.precision }),
    ...(digits && digits.scale > 0 && { scale: digits.scale }),
  };
}

/** A column is required if an insert without it fails. */
function defaultMembers(column: ExistingColumn, mapped: MappedType, isKey: boolean) {
  const isNeeded = !column.isNullable || isKey;
  if (column.origin === 'computed') return { readOnly: true };
  if (column.origin === 'numbered') {
    // A column that allows null has it where an insert gives it; a key that is generated never is null.
    const isGenerated = mapped.type === 'integer' && isNeeded;
    return isGenerated ? { autoIncrement: true } : { databaseDefault: true };
  }
  const fallback = columnDefault(column.default, mapped);
  if (fallback.kind === 'unknown') return { databaseDefault: true };
  return {
    ...(isNeeded && { required: true }),
    ...(fallback.kind === 'value' && { default: fallback.value }),
  };
}

/** PostgreSQL finds no operators for a domain over an enumerated type beside a parameter. */
function incomparable(table: ExistingTable, column: ExistingColumn, property: string): Remark {
  const why = `PostgreSQL does not compare values of ${column.declared}, a domain over an enumerated type: write toString(p.${property}) in conditions.`;
  return { place: `${placeOf(table)}.${column.name}`, why, isMapped: true };
}

/** Includes compare the texts of keys, but a foreign key of this type ignores case. */
function caseOf(table: ExistingTable, column: ExistingColumn): Remark {
  const why =
    'Includes by a key of type citext find only rows with the same text; paths, filters and aggregates ignore case.';
  return { place: `${placeOf(table)}.${column.name}`, why, isMapped: true };
}

/** Why a column or a table is omitted that no query of this user could read. */
export const UNREADABLE = 'The user may not read it: grant SELECT.';

function unmapped(table: ExistingTable, column: ExistingColumn): Remark {
  const exception = table.hasInsertTrigger ? ' unless a trigger fills it in' : '';
  const fail = ` It is required, so inserts into the table fail${exception}.`;
  const insert = isNeeded(column) ? fail : '';
  const why = column.isUnreadable ? UNREADABLE : `The type ${column.declared} is not supported.`;
  return { place: `${placeOf(table)}.${column.name}`, why: `${why}${insert}` };
}
