/** Functions of dates and times in the SQL of PostgreSQL; the session's zone is UTC. */
import type { dateFunctions } from '../../../query/functions/date.js';
import type { Template, Templates } from '../template.js';
import { cast, clock, instant } from './cast.js';

export const dateTemplates: Templates<keyof typeof dateFunctions> = {
  today: (call) => call.instant('date'),
  now: (call) => call.instant('dateTime'),
  curTime: (call) => call.instant('time'),
  date: (call) => cast(call.operand(0), 'date'),
  time: (call) => cast(clock(call, 0), 'time'),
  dateTime: (call) => instant(call, 0),
  year: part('year'),
  month: part('month'),
  day: part('day'),
  weekday: (call) => `(extract(dow from ${clock(call, 0)})::int8 + 1)`,
  hour: part('hour'),
  minute: part('minute'),
  second: (call) => `trunc(extract(second from ${clock(call, 0)}))::int8`,
  millisecond: (call) => `(trunc(extract(milliseconds from ${clock(call, 0)}))::int8 % 1000)`,
  addYear: adding('1 year'),
  addMonth: adding('1 month'),
  addDay: adding('1 day'),
  addHour: adding('1 hour'),
  addMinute: adding('1 minute'),
  addSecond: adding('1 second'),
  addMillisecond: adding('1 millisecond'),
  addTime: (call) => `(${instant(call, 0)} + ${cast(call.operand(1), 'time')}::interval)`,
  subtractTime: (call) => `(${instant(call, 0)} - ${cast(call.operand(1), 'time')}::interval)`,
  yearDiff: (call) => `extract(year from age(${clock(call, 0)}, ${clock(call, 1)}))::int8`,
  dayDiff: difference('/ 86400'),
  hourDiff: difference('/ 3600'),
  secondDiff: difference('/ 1'),
  millisecondDiff: difference('* 1000'),
  dayToDate: counted('1 day'),
  hourToDate: counted('1 hour'),
  secondToDate: counted('1 second'),
  millisecondToDate: counted('1 millisecond'),
  dateToString: (call) => call.text(0),
};

function part(field: string): Template {
  return (call) => `extract(${field} from ${clock(call, 0)})::int8`;
}

/** Months are added by the calendar; a day that the month does not have becomes its last (8.5.4). */
function adding(interval: string): Template {
  return (call) => `(${instant(call, 0)} + ${call.operand(1)} * interval '${interval}')`;
}

function difference(scale: string): Template {
  return (call) =>
    `trunc(extract(epoch from ${instant(call, 0)} - ${instant(call, 1)}) ${scale})::int8`;
}

function counted(interval: string): Template {
  return (call) =>
    `(timestamptz '1970-01-01 00:00:00+00' + ${call.operand(0)} * interval '${interval}')`;
}
