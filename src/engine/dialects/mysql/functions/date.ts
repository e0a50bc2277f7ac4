/** Functions of dates and times on MySQL and MariaDB; columns contain UTC. */
import type { dateFunctions } from '../../../query/functions/date.js';
import { commonDates } from '../../functions/common.js';
import { type DateUnit, isWithin, unitsAround } from '../../functions/date-range.js';
import {
  applied,
  type CallSql,
  repeating,
  type Template,
  type Templates,
} from '../../functions/template.js';
import { instant } from './cast.js';

export const dateTemplates: Templates<keyof typeof dateFunctions> = {
  ...commonDates({ adding, shifted, counted }),
  date: applied('DATE'),
  time: (call) => (call.type(0) === 'time' ? call.operand(0) : `TIME(${instant(call, 0)})`),
  dateTime: (call) => instant(call, 0),
  year: applied('YEAR'),
  month: applied('MONTH'),
  day: applied('DAY'),
  weekday: applied('DAYOFWEEK'),
  hour: applied('HOUR'),
  minute: applied('MINUTE'),
  second: applied('SECOND'),
  millisecond: (call) => `(MICROSECOND(${call.value(0)}) DIV 1000)`,
  yearDiff: difference('YEAR'),
  dayDiff: difference('DAY'),
  hourDiff: difference('HOUR'),
  secondDiff: difference('SECOND'),
  millisecondDiff: (call) => `(${difference('MICROSECOND')(call)} DIV 1000)`,
};

/**
 * Adds a number of units. The result must be checked: out of range it is null in a SELECT but fails an
 * UPDATE, and the year 0 is allowed here.
 */
function adding(unit: DateUnit): Template {
  return repeating((call) => {
    const isDate = staysDate(unit, call);
    return `CASE WHEN ${isDate} THEN ${instant(call, 0)} + INTERVAL ${units(unit, call, 1)} END`;
  });
}

function units({ name }: DateUnit, call: CallSql, index: number): string {
  const number = call.operand(index);
  return name === 'millisecond'
    ? `${number} * 1000 MICROSECOND`
    : `${number} ${name.toUpperCase()}`;
}

/** The condition that the result is in the years 1 to 9999. */
function staysDate({ counted: unit, size }: DateUnit, call: CallSql): string {
  const at = () => instant(call, 0);
  // A product of integers could exceed 64 bits.
  const number = () => call.digits(1) ?? `CAST(${call.value(1)} AS DECIMAL(65,3))`;
  if (unit === 'years') return `YEAR(${at()}) + ${number()} BETWEEN 1 AND 9999`;
  if (unit === 'months') {
    return `YEAR(${at()}) * 12 + MONTH(${at()}) - 1 + ${number()} BETWEEN 12 AND 119999`;
  }
  return isDate(at, () => `${number()} * ${size}`);
}

/**
 * The condition that an instant plus `seconds` is in the years 1 to 9999, counted in seconds from year
 * 0.
 */
function isDate(at: () => string, seconds: () => string): string {
  const start = `TO_SECONDS(${at()}) + MICROSECOND(${at()}) / 1000000`;
  return `${start} + ${seconds()} BETWEEN 31622400 AND 315569519999.999999`;
}

function shifted(sign: '+' | '-'): Template {
  const name = sign === '+' ? 'ADDTIME' : 'SUBTIME';
  return repeating((call) => {
    const at = () => instant(call, 0);
    const seconds = () =>
      `${sign === '-' ? '- ' : ''}TIME_TO_SEC(CAST(${call.value(1)} AS TIME(6)))`;
    return `CASE WHEN ${isDate(at, seconds)} THEN ${name}(${at()}, ${call.value(1)}) END`;
  });
}

/** The whole units between two instants, truncated. TIMESTAMPDIFF takes the earlier instant first. */
function difference(unit: string): Template {
  return (call) => `TIMESTAMPDIFF(${unit}, ${instant(call, 1)}, ${instant(call, 0)})`;
}

function counted(unit: DateUnit): Template {
  const [first, last] = unitsAround(unit);
  const start = "CAST('1970-01-01' AS DATETIME(6))";
  return repeating((call) => {
    if (isWithin(call.number(0), first, last))
      return `(${start} + INTERVAL ${units(unit, call, 0)})`;
    const isDate = `${call.operand(0)} BETWEEN ${first} AND ${last}`;
    return `CASE WHEN ${isDate} THEN ${start} + INTERVAL ${units(unit, call, 0)} END`;
  });
}
