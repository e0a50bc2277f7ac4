/** Functions of dates and times in the SQL of MySQL and MariaDB; columns hold UTC. */
import type { dateFunctions } from '../../../query/functions/date.js';
import type { Template, Templates } from '../template.js';
import { instant } from './cast.js';

export const dateTemplates: Templates<keyof typeof dateFunctions> = {
  today: (call) => call.instant('date'),
  now: (call) => call.instant('dateTime'),
  curTime: (call) => call.instant('time'),
  date: (call) => `DATE(${call.value(0)})`,
  time: (call) => (call.type(0) === 'time' ? call.operand(0) : `TIME(${instant(call, 0)})`),
  dateTime: (call) => instant(call, 0),
  year: part('YEAR'),
  month: part('MONTH'),
  day: part('DAY'),
  weekday: part('DAYOFWEEK'),
  hour: part('HOUR'),
  minute: part('MINUTE'),
  second: part('SECOND'),
  millisecond: (call) => `(MICROSECOND(${call.value(0)}) DIV 1000)`,
  addYear: adding('YEAR'),
  addMonth: adding('MONTH'),
  addDay: adding('DAY'),
  addHour: adding('HOUR'),
  addMinute: adding('MINUTE'),
  addSecond: adding('SECOND'),
  addMillisecond: (call) =>
    `(${instant(call, 0)} + INTERVAL ${call.operand(1)} * 1000 MICROSECOND)`,
  addTime: (call) => `ADDTIME(${instant(call, 0)}, ${call.value(1)})`,
  subtractTime: (call) => `SUBTIME(${instant(call, 0)}, ${call.value(1)})`,
  yearDiff: difference('YEAR'),
  dayDiff: difference('DAY'),
  hourDiff: difference('HOUR'),
  secondDiff: difference('SECOND'),
  millisecondDiff: (call) => `(${difference('MICROSECOND')(call)} DIV 1000)`,
  dayToDate: (call) => counted(`${call.operand(0)} DAY`),
  hourToDate: (call) => counted(`${call.operand(0)} HOUR`),
  secondToDate: (call) => counted(`${call.operand(0)} SECOND`),
  millisecondToDate: (call) => counted(`${call.operand(0)} * 1000 MICROSECOND`),
  dateToString: (call) => call.text(0),
};

function part(name: string): Template {
  return (call) => `${name}(${call.value(0)})`;
}

function adding(unit: string): Template {
  return (call) => `(${instant(call, 0)} + INTERVAL ${call.operand(1)} ${unit})`;
}

/** Whole units, cut; MySQL names the earlier instant first. */
function difference(unit: string): Template {
  return (call) => `TIMESTAMPDIFF(${unit}, ${instant(call, 1)}, ${instant(call, 0)})`;
}

function counted(interval: string): string {
  return `(CAST('1970-01-01' AS DATETIME(6)) + INTERVAL ${interval})`;
}
