/** Functions of dates and times on PostgreSQL; the session's time zone is UTC. */
import type { dateFunctions } from '../../../query/functions/date.js';
import { commonDates } from '../../functions/common.js';
import { type DateUnit, isWithin, unitsAround, unitsMax } from '../../functions/date-range.js';
import { repeating, type Template, type Templates } from '../../functions/template.js';
import { cast, clock, finite, instant } from './cast.js';

export const dateTemplates: Templates<keyof typeof dateFunctions> = {
  ...commonDates({ adding, shifted, counted }),
  date: (call) => cast(call.operand(0), 'date'),
  time: (call) => cast(clock(call, 0), 'time'),
  dateTime: (call) => instant(call, 0),
  year: (call) => `extract(year from ${finite(clock(call, 0))})::int8`,
  month: part('month'),
  day: part('day'),
  weekday: (call) => `(extract(dow from ${clock(call, 0)})::int8 + 1)`,
  hour: part('hour'),
  minute: part('minute'),
  second: (call) => `trunc(extract(second from ${clock(call, 0)}))::int8`,
  millisecond: (call) => `(trunc(extract(milliseconds from ${clock(call, 0)}))::int8 % 1000)`,
  yearDiff: (call) =>
    `extract(year from age(${finite(clock(call, 0))}, ${finite(clock(call, 1))}))::int8`,
  dayDiff: difference('/ 86400'),
  hourDiff: difference('/ 3600'),
  secondDiff: difference('/ 1'),
  millisecondDiff: difference('* 1000'),
};

/** A part of a date or a time. All but the year are null for an infinite date. */
function part(field: string): Template {
  return (call) => `extract(${field} from ${clock(call, 0)})::int8`;
}

/**
 * Adds a number of units. Months are added by the calendar, and a day that the month does not have
 * becomes its last day (manual, 8.5.4). The number is bounded as well, because an interval that is too
 * great fails even where CASE does not use it.
 */
function adding(unit: DateUnit): Template {
  const most = unitsMax(unit);
  return repeating((call) => {
    const at = instant(call, 0);
    const number = call.operand(1);
    const isShort = isWithin(call.number(1), -most, most);
    const inBounds = isShort ? number : `least(greatest(${number}, -${most}), ${most})`;
    const sum = `${at} + ${times(inBounds, unit)}`;
    return `CASE WHEN ${staysDate(unit, at, number)} THEN ${sum} END`;
  });
}

/**
 * A number of units as an interval. Intervals are multiplied as doubles, which are not precise enough
 * for milliseconds over millennia.
 */
function times(number: string, { name }: DateUnit): string {
  if (name !== 'millisecond') return `${number} * interval '1 ${name}'`;
  return `${number} / 86400000 * interval '1 day' + ${number} % 86400000 * interval '1 millisecond'`;
}

/** The condition that the result is in the years 1 to 9999. */
function staysDate({ counted: unit, size }: DateUnit, at: string, number: string): string {
  if (unit === 'years') return `extract(year from ${at}) + ${number} BETWEEN 1 AND 9999`;
  if (unit === 'seconds') return isDate(`${at}`, `${number} * ${size}::numeric`);
  const months = `extract(year from ${at}) * 12 + extract(month from ${at}) - 1`;
  return `${months} + ${number} BETWEEN 12 AND 119999`;
}

function isDate(at: string, seconds: string): string {
  return `extract(epoch from ${at}) + ${seconds} BETWEEN -62135596800 AND 253402300799.999999`;
}

function shifted(sign: '+' | '-'): Template {
  return repeating((call) => {
    const at = instant(call, 0);
    const interval = `${cast(call.operand(1), 'time')}::interval`;
    const seconds = `${sign === '-' ? '- ' : ''}extract(epoch from ${interval})`;
    return `CASE WHEN ${isDate(at, seconds)} THEN ${at} ${sign} ${interval} END`;
  });
}

function difference(scale: string): Template {
  return (call) =>
    `trunc(extract(epoch from ${finite(instant(call, 0))} - ${finite(instant(call, 1))}) ${scale})::int8`;
}

function counted(unit: DateUnit): Template {
  const [first, last] = unitsAround(unit);
  const start = "timestamptz '1970-01-01 00:00:00+00'";
  return repeating((call) => {
    const number = call.operand(0);
    const sum = `${start} + ${times(number, unit)}`;
    if (isWithin(call.number(0), first, last)) return `(${sum})`;
    return `CASE WHEN ${number} BETWEEN ${first} AND ${last} THEN ${sum} END`;
  });
}
