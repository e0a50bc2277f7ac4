/** Converts values to those that the columns of properties store. */
import { withoutType } from '../evaluate/operators.js';
import { dateOf } from '../evaluate/moment.js';
import {
  clockOf,
  doubleOf,
  isDecimal,
  isNumeric,
  momentOf,
  type Value,
} from '../evaluate/value.js';
import type { Property } from '../world/domain.js';

/** The value, converted to the type of the property. */
export function typed({ type }: Property, value: Value): Value {
  if (value === null) return null;
  switch (type) {
    case 'decimal':
      return isDecimal(value) ? withoutType(value) : value;
    case 'number':
      return isNumeric(value)
        ? { kind: 'number', value: doubleOf(value), near: value.near }
        : value;
    case 'dateTime':
      return { ...momentOf(value), kind: 'dateTime' };
    case 'date':
      return dateOf(momentOf(value));
    case 'time':
      return clockOf(value);
    default:
      return value;
  }
}
