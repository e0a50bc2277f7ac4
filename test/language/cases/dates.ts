/**
 * Dates and times: the first and last of the calendar, microseconds, infinities, and days on which the
 * clocks change.
 */
import type { ReadCase } from '../read-case.js';

/** The value of an expression for one row of Moments, as JSON. */
const values: readonly (readonly [id: number, expression: string, json: string])[] = [
  [1, 'm.at', '"0001-01-01T00:00:00.000Z"'],
  [1, 'm.day', '"0001-01-01T00:00:00.000Z"'],
  [1, 'm.clock', '"00:00:00"'],
  [2, 'm.at', '"9999-12-31T23:59:59.999999Z"'],
  [2, 'm.day', '"9999-12-31T00:00:00.000Z"'],
  [2, 'm.clock', '"23:59:59.999999"'],
  [3, 'm.at', '"2024-03-10T06:59:59.999Z"'],
  [3, 'm.day', '"2024-03-10T00:00:00.000Z"'],
  [3, 'm.clock', '"02:30:00"'],
  [4, 'm.at', '"2024-03-10T07:00:00.000Z"'],
  [4, 'm.clock', '"03:00:00.500"'],
  [5, 'm.at', '"2024-11-03T05:30:00.000001Z"'],
  [6, 'm.at', '"2024-11-03T06:30:00.000999Z"'],
  [6, 'm.clock', '"01:30:00.001"'],
  [7, 'm.at', 'null'],
  [7, 'm.day', 'null'],
  [8, 'm.at', 'null'],
  [8, 'm.day', 'null'],
  [9, 'm.at', 'null'],
  [9, 'm.clock', 'null'],
  [10, 'm.day', '"2011-12-30T00:00:00.000Z"'],
  [11, 'm.at', '"-000043-03-15T12:00:00.000Z"'],
  [11, 'm.day', '"-000043-03-15T00:00:00.000Z"'],
  [12, 'm.at', '"+020000-06-01T00:00:00.000Z"'],
  [13, 'm.at', '"2024-02-29T18:29:59.123456Z"'],
  [3, 'hour(m.at)', '6'],
  [3, 'hour(m.clock)', '2'],
  [3, 'day(m.day)', '10'],
  [5, 'addHour(m.at, 1)', '"2024-11-03T06:30:00.000001Z"'],
  [3, 'addDay(m.at, 1)', '"2024-03-11T06:59:59.999Z"'],
  [4, 'addDay(m.at, -1)', '"2024-03-09T07:00:00.000Z"'],
  [3, 'hourDiff("2024-03-11T06:59:59.999Z", m.at)', '24'],
  [3, 'dayDiff(m.at, "2024-03-09T06:59:59.999Z")', '1'],
  [13, 'millisecond(m.at)', '123'],
  [13, 'date(m.at)', '"2024-02-29T00:00:00.000Z"'],
  [13, 'time(m.at)', '"18:29:59.123456"'],
  [13, 'toString(m.at)', '"2024-02-29T18:29:59.123Z"'],
  [13, 'dateToString(m.day)', '"2024-02-29T00:00:00.000Z"'],
  [3, '"at "+m.at', '"at 2024-03-10T06:59:59.999Z"'],
  [13, 'addYear(m.day, 1)', '"2025-02-28T00:00:00.000Z"'],
  [10, 'm.day ?? m.at', '"2011-12-30T00:00:00.000Z"'],
  [9, 'm.at ?? "2020-01-01"', '"2020-01-01T00:00:00.000Z"'],
  [9, 'nvl(m.day, "2020-01-01")', '"2020-01-01T00:00:00.000Z"'],
];

/** The ids of the rows of Moments for which a condition holds. */
const conditions: readonly (readonly [condition: string, ids: readonly number[], data?: string])[] =
  [
    ['m.at=="0001-01-01"', [1]],
    ['m.at=="0001-01-01T00:00:00Z"', [1]],
    ['m.at>"9999-12-31T23:59:59.999Z"', [2, 7, 12]],
    ['m.at<"0001-01-01"', [8, 11]],
    ['m.day=="9999-12-31"', [2]],
    ['m.day=="2024-03-10"', [3, 4]],
    ['m.at>="2024-03-10T07:00:00Z" && m.at<"2024-03-11"', [4]],
    ['m.at=="2024-11-03T05:30:00.000001Z"', [5]],
    ['m.at=="2024-11-03T05:30:00Z"', []],
    ['m.at=="2024-11-03T01:30:00.000001-04:00"', [5]],
    ['m.at==d', [5], '{"d": "2024-11-03T01:30:00.000001-04:00"}'],
    ['m.at==d', [4], '{"d": "2024-03-10T02:00:00-05:00"}'],
    ['m.at==d', [4], '{"d": "2024-03-10T12:30:00+05:30"}'],
    ['m.at==d', [1], '{"d": "0001-01-01T00:00:00.000Z"}'],
    ['m.at<=d', [1, 8, 11], '{"d": "0001-01-01"}'],
    ['m.at==d', [11], '{"d": "-000043-03-15T12:00:00Z"}'],
    ['m.at==d', [12], '{"d": "+020000-06-01T00:00:00Z"}'],
    ['m.day==d', [10], '{"d": "2011-12-30"}'],
    ['m.day==d', [10], '{"d": "2011-12-29T23:00:00-10:00"}'],
    ['m.day==d', [11], '{"d": "-000043-03-15"}'],
    ['in(m.day, ds)', [3, 4, 10], '{"ds": ["2011-12-30", "2024-03-10"]}'],
    ['m.clock=="02:30:00"', [3]],
    ['m.clock=="02:30"', [3]],
    ['m.clock==t', [6], '{"t": "01:30:00.001"}'],
    ['m.clock>t', [2, 13], '{"t": "12:00"}'],
    ['m.at==null', [9]],
    ['m.at>m.day', [2, 3, 4, 5, 6, 10, 11, 13]],
    ['m.at==m.day', [1, 7, 8, 12]],
    ['m.day=="2024-02-29" && m.at<"2024-02-29T18:30"', [13]],
  ];

export const dates: readonly ReadCase[] = [
  ...values.map(([id, expression, json]) => ({
    query: `Moments.filter(m=>m.id==${id}).map(m=>({r: ${expression}}))`,
    rows: `[{"r":${json}}]`,
  })),
  ...conditions.map(([condition, ids, data]) => ({
    query: `Moments.filter(m=>${condition}).map(m=>m.id).sort(m=>m.id)`,
    rows: JSON.stringify(ids.map((id) => ({ id }))),
    ...(data !== undefined && { data }),
  })),
  {
    query: 'Moments.map(m=>m.id).sort(m=>[m.at, m.id])',
    sql: 'SELECT id FROM moments ORDER BY at NULLS LAST, id',
  },
  {
    query: 'Moments.map(m=>({x: max(m.clock), n: min(m.clock), d: max(m.day)}))',
    rows: '[{"x":"23:59:59.999999","n":"00:00:00","d":null}]',
  },
];
