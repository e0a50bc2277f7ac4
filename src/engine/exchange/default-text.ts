/** The default of a property as the text of a value. */
import { constantDefault } from '../query/write/default-expression.js';
import { scalarText } from '../result/scalar-text.js';
import type { Property } from '../schema/model.js';

/**
 * The canonical text of a property's default at the instant `now` (ISO 8601, UTC); null without a
 * default; undefined for one that is an expression other than `now()`, `today()` and `curTime()`.
 */
export function defaultText(property: Property, now: string): string | null | undefined {
  const { type, default: value } = property;
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') return scalarText(type, stringOf(type, value));
  if (type === 'string' || type === 'any') return constantDefault(value);
  const moment = momentText(value, now);
  if (moment !== undefined)
    return scalarText(type, type === 'time' ? moment.slice(11, 23) : moment);
  if (type === 'boolean') return value === 'true' || value === 'false' ? value : undefined;
  return scalarText(type, value);
}

function stringOf(type: Property['type'], value: number | boolean) {
  return type === 'string' ? String(value) : value;
}

function momentText(expression: string, now: string): string | undefined {
  return /^(now|today|curTime)\(\)$/.test(expression) ? now : undefined;
}
