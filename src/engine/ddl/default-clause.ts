/**
 * The DEFAULT clause of a column. Rowgate sets defaults itself in its inserts; the clause is for
 * other programs. An expression that does not exist in all dialects gets no clause.
 */
import { constantDefault } from '../query/write/default-expression.js';
import { scalarText } from '../values/scalar-text.js';
import type { ColumnDefinition, DdlDialect } from '../dialects/ddl-dialect.js';

const NUMBER = /^-?\d+(\.\d+)?$/;

/** ` DEFAULT …`, or an empty string. */
export function defaultClause(column: ColumnDefinition, dialect: DdlDialect): string {
  const value = defaultValue(column, dialect);
  if (value === undefined) return '';
  return dialect.hasBareDefaults ? ` DEFAULT ${value}` : ` DEFAULT (${value})`;
}

function defaultValue(column: ColumnDefinition, dialect: DdlDialect): string | undefined {
  const { default: value, type } = column;
  if (value === undefined || value === null || column.autoIncrement) return undefined;
  switch (type) {
    case 'string':
    case 'uuid':
    case 'interval':
    case 'inet':
    case 'any': {
      const text = constantDefault(value);
      return text === undefined ? undefined : dialect.text(text);
    }
    case 'boolean':
      return /^(?:true|false)$/.test(String(value)) ? String(value).toUpperCase() : undefined;
    case 'integer':
    case 'decimal':
    case 'number':
      return NUMBER.test(String(value)) ? String(value) : undefined;
    case 'dateTime':
    case 'date':
    case 'time':
      return momentValue(String(value), type, dialect);
    default:
      return undefined;
  }
}

function momentValue(
  value: string,
  type: 'dateTime' | 'date' | 'time',
  dialect: DdlDialect,
): string | undefined {
  const moment = scalarText(type, value);
  if (moment !== undefined) return dialect.text(dialect.scalar(moment, type));
  return Object.entries(dialect.moments).find(([call]) => call === value)?.[1];
}
