/** Describes a value that does not fit a type. */
import type { PropertyType } from '../schema/model.js';
import { type DataValue, nameDataValue } from './data-value.js';
import { missingDay } from './date-text.js';

/**
 * The end of a message that begins with the expected type (`'at' takes a date, but …`): `was given a
 * list`, `2024-02-30 does not exist`.
 */
export function describeMisfit(type: PropertyType, value: DataValue | undefined): string {
  const isDay = type === 'date' || type === 'dateTime';
  const day = isDay && typeof value === 'string' ? missingDay(value) : undefined;
  return day === undefined ? `was given ${nameDataValue(value)}` : `${day} does not exist`;
}
