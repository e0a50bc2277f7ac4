/** Functions of dates and times, all of them in UTC. */
import type { PropertyType } from '../../schema/model.js';
import { takes } from './parameters.js';
import type { FunctionDefinition, FunctionGroupTable } from './signature.js';

const sample = '"2021-09-06T14:39:11.444Z"';

export const dateFunctions = {
  today: clock('date', 'The date of the request.', ['dayDiff(today(), today())', '0']),
  now: clock('dateTime', 'The instant of the request.', ['secondDiff(now(), now())', '0']),
  curTime: clock('time', 'The time of day of the request.', ['curTime() == curTime()', 'true']),
  date: {
    parameters: [takes('at', 'dateTime')],
    returns: 'date',
    summary: 'The date.',
    example: [`date(${sample})`, '"2021-09-06T00:00:00.000Z"'],
  },
  time: {
    parameters: [takes('at', 'clock')],
    returns: 'time',
    summary: 'The time of day.',
    example: [`time(${sample})`, '"14:39:11.444"'],
  },
  dateTime: {
    parameters: [takes('at', 'dateTime')],
    returns: 'dateTime',
    summary: 'The instant; for a date, its start.',
    example: ['dateTime("2021-09-06")', '"2021-09-06T00:00:00.000Z"'],
  },
  year: part('dateTime', 'The year.', [`year(${sample})`, '2021']),
  month: part('dateTime', 'The month, from 1.', [`month(${sample})`, '9']),
  day: part('dateTime', 'The day of the month, from 1.', [`day(${sample})`, '6']),
  weekday: part('dateTime', 'The day of the week, from 1 for Sunday.', [`weekday(${sample})`, '2']),
  hour: part('clock', 'The hour.', [`hour(${sample})`, '14']),
  minute: part('clock', 'The minute.', [`minute(${sample})`, '39']),
  second: part('clock', 'The whole seconds of the minute.', [`second(${sample})`, '11']),
  millisecond: part('clock', 'The milliseconds of the second.', [`millisecond(${sample})`, '444']),
  addYear: adding('years', 'If the month does not have that day, its last day.', [
    'addYear("2020-02-29", 1)',
    '"2021-02-28T00:00:00.000Z"',
  ]),
  addMonth: adding('months', 'If the month does not have that day, its last day.', [
    'addMonth("2021-01-31", 1)',
    '"2021-02-28T00:00:00.000Z"',
  ]),
  addDay: adding('days', '', ['addDay("2021-01-31", -31)', '"2020-12-31T00:00:00.000Z"']),
  addHour: adding('hours', '', ['addHour("2021-01-31", 25)', '"2021-02-01T01:00:00.000Z"']),
  addMinute: adding('minutes', '', ['addMinute("2021-01-31", 90)', '"2021-01-31T01:30:00.000Z"']),
  addSecond: adding('seconds', '', ['addSecond("2021-01-31", -1)', '"2021-01-30T23:59:59.000Z"']),
  addMillisecond: adding('milliseconds', '', [
    'addMillisecond("2021-01-31", 1500)',
    '"2021-01-31T00:00:01.500Z"',
  ]),
  addTime: shifted('The instant plus a time of day.', [
    'addTime("2021-01-31", "01:30:00")',
    '"2021-01-31T01:30:00.000Z"',
  ]),
  subtractTime: shifted('The instant minus a time of day.', [
    'subtractTime("2021-01-31", "01:30:00")',
    '"2021-01-30T22:30:00.000Z"',
  ]),
  yearDiff: difference('years', ['yearDiff("2021-09-06", "2018-09-07")', '2']),
  dayDiff: difference('days', ['dayDiff("1996-07-31", "1996-07-15")', '16']),
  hourDiff: difference('hours', ['hourDiff("2021-09-06T14:39:11", "2021-09-02T12:30:10")', '98']),
  secondDiff: difference('seconds', ['secondDiff("2021-09-06", "2021-09-06T00:01")', '-60']),
  millisecondDiff: difference('milliseconds', [
    `millisecondDiff(${sample}, "2021-09-06T14:39:11Z")`,
    '444',
  ]),
  dayToDate: counted('days', ['dayToDate(2000)', '"1975-06-24T00:00:00.000Z"']),
  hourToDate: counted('hours', ['hourToDate(25)', '"1970-01-02T01:00:00.000Z"']),
  secondToDate: counted('seconds', ['secondToDate(1000000000)', '"2001-09-09T01:46:40.000Z"']),
  millisecondToDate: counted('milliseconds', [
    'millisecondToDate(1500)',
    '"1970-01-01T00:00:01.500Z"',
  ]),
  dateToString: {
    parameters: [takes('at', 'dateTime')],
    returns: 'string',
    summary: 'The instant as ISO 8601 text, to the millisecond.',
    example: ['dateToString("1996-07-03T22:00:00Z")', '"1996-07-03T22:00:00.000Z"'],
  },
} satisfies FunctionGroupTable;

type Example = FunctionDefinition['example'];

function clock(returns: PropertyType, summary: string, example: Example): FunctionDefinition {
  return { parameters: [], returns, readsClock: true, summary, example };
}

function part(type: 'dateTime' | 'clock', summary: string, example: Example): FunctionDefinition {
  return { parameters: [takes('at', type)], returns: 'integer', summary, example };
}

function adding(unit: string, remark: string, example: Example): FunctionDefinition {
  const parameters = [takes('at', 'dateTime'), takes(unit, 'integer')];
  const summary = `The instant that many ${unit} later. ${remark}`.trimEnd();
  return { parameters, returns: 'dateTime', summary, example };
}

function shifted(summary: string, example: Example): FunctionDefinition {
  const parameters = [takes('at', 'dateTime'), takes('time', 'time')];
  return { parameters, returns: 'dateTime', summary, example };
}

function difference(unit: string, example: Example): FunctionDefinition {
  const parameters = [takes('at', 'dateTime'), takes('from', 'dateTime')];
  const summary = `The whole ${unit} from the second instant to the first.`;
  return { parameters, returns: 'integer', summary, example };
}

function counted(unit: string, example: Example): FunctionDefinition {
  const summary = `The instant that many ${unit} after 1970-01-01.`;
  return { parameters: [takes(unit, 'integer')], returns: 'dateTime', summary, example };
}
