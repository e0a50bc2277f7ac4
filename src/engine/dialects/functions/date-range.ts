/** The range of dates, which is the years 1 to 9999 in every dialect. */

/** A unit of time that can be added to an instant. */
export interface DateUnit {
  readonly name: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'millisecond';
  /** The calendar unit in which it is counted. */
  readonly counted: 'years' | 'months' | 'seconds';
  /** Its size in that unit. */
  readonly size: number;
}

const DAY = 86_400;

export const dateUnits = {
  year: { name: 'year', counted: 'years', size: 1 },
  month: { name: 'month', counted: 'months', size: 1 },
  day: { name: 'day', counted: 'seconds', size: DAY },
  hour: { name: 'hour', counted: 'seconds', size: 3600 },
  minute: { name: 'minute', counted: 'seconds', size: 60 },
  second: { name: 'second', counted: 'seconds', size: 1 },
  millisecond: { name: 'millisecond', counted: 'seconds', size: 0.001 },
} as const satisfies Record<string, DateUnit>;

/** The number of days from 1970-01-01 to the first and to the last day. */
const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;

/** A number of units that is greater than the distance between any two dates. */
export function unitsMax({ counted, size }: DateUnit): number {
  if (counted === 'years') return 10_000;
  return counted === 'months' ? 120_000 : Math.ceil(((LAST_DAY - FIRST_DAY + 1) * DAY) / size);
}

/** The first and last number of units after 1970-01-01 that still give a date. */
export function unitsAround({ size }: DateUnit): readonly [number, number] {
  const perDay = Math.round(DAY / size);
  return [FIRST_DAY * perDay, (LAST_DAY + 1) * perDay - 1];
}

/** Whether a number literal is in a range; false if the number is not a literal. */
export function isWithin(number: number | undefined, least: number, most: number): boolean {
  return number !== undefined && number >= least && number <= most;
}
