/** Date and time functions in UTC. */
import { integer, wholeNumber } from '../decimal.js';
import {
  addMonths,
  type Clock,
  dateOf,
  DAY_MS,
  type Moment,
  momentAt,
  momentText,
  msOf,
} from '../moment.js';
import { clockOf, isClock, isDecimal, type Known, momentOf, type Value } from '../value.js';
import type { KnownFunction } from './call.js';

const SECOND = 1_000_000n;
const NOW: Moment = { kind: 'dateTime', us: BigInt(Date.now()) * 1000n };

export const dateFunctions: Readonly<Record<string, KnownFunction>> = {
  now: () => now(),
  today: () => dateOf(now()),
  curTime: () => timeOf(now()),
  date: (at) => dateOf(moment(at)),
  time: (at) => clock(at),
  dateTime: (at) => ({ ...moment(at), kind: 'dateTime' }),
  year: (at) => count(calendar(at).getUTCFullYear()),
  month: (at) => count(calendar(at).getUTCMonth() + 1),
  day: (at) => count(calendar(at).getUTCDate()),
  weekday: (at) => count(calendar(at).getUTCDay() + 1),
  hour: (at) => count(Math.floor(clock(at).ms / 3_600_000)),
  minute: (at) => count(Math.floor(clock(at).ms / 60_000) % 60),
  second: (at) => count(Math.floor(clock(at).ms / 1000) % 60),
  millisecond: (at) => count(clock(at).ms % 1000),
  addYear: (at, years) => addMonths(moment(at), 12 * number(years)),
  addMonth: (at, months) => addMonths(moment(at), number(months)),
  addDay: adding(86_400n * SECOND),
  addHour: adding(3600n * SECOND),
  addMinute: adding(60n * SECOND),
  addSecond: adding(SECOND),
  addMillisecond: adding(1000n),
  addTime: (at, time) => momentAt(moment(at).us + BigInt(clock(time).ms) * 1000n),
  subtractTime: (at, time) => momentAt(moment(at).us - BigInt(clock(time).ms) * 1000n),
  yearDiff: (at, from) => count(yearsBetween(moment(at), moment(from))),
  dayDiff: difference(86_400n * SECOND),
  hourDiff: difference(3600n * SECOND),
  secondDiff: difference(SECOND),
  millisecondDiff: difference(1000n),
  dayToDate: counting(86_400n * SECOND),
  hourToDate: counting(3600n * SECOND),
  secondToDate: counting(SECOND),
  millisecondToDate: counting(1000n),
  dateToString: (at) => momentText(moment(at)),
};

/** Near the time of the request: random queries use no value that changes between runs. */
function now(): Moment {
  return NOW;
}

function adding(unit: bigint): KnownFunction {
  return (at, times) => momentAt(moment(at).us + BigInt(number(times)) * unit);
}

function difference(unit: bigint): KnownFunction {
  return (at, from) => integer((moment(at).us - moment(from).us) / unit);
}

function counting(unit: bigint): KnownFunction {
  return (times) => momentAt(BigInt(number(times)) * unit);
}

/** Whole years; negative differences are rounded like positive ones. */
function yearsBetween(at: Moment, from: Moment): number {
  if (at.us < from.us) return -yearsBetween(from, at);
  const [later, earlier] = [momentText(at), momentText(from)];
  const isShort = later.slice(4) < earlier.slice(4);
  return Number(later.slice(0, 4)) - Number(earlier.slice(0, 4)) - (isShort ? 1 : 0);
}

function timeOf(at: Moment): Clock {
  return { kind: 'time', ms: ((msOf(at) % DAY_MS) + DAY_MS) % DAY_MS };
}

/** The time of day of a dateTime, date or time. */
function clock(value: Known | undefined): Clock {
  if (value !== undefined && isClock(value)) return value;
  if (typeof value === 'string' && value.charAt(2) === ':') return clockOf(value);
  return timeOf(moment(value));
}

function calendar(at: Known | undefined): Date {
  return new Date(msOf(moment(at)));
}

function moment(value: Known | undefined): Moment {
  return momentOf(value ?? null);
}

function number(value: Known | undefined): number {
  if (value === undefined || !isDecimal(value)) throw new Error('no integer');
  return wholeNumber(value);
}

function count(value: number): Value {
  return integer(BigInt(value));
}
