/**
 * Runs the table of read cases on MariaDB: each answer is the same as on PostgreSQL, digit for digit.
 * Cases with values that MariaDB does not have (NaN, infinity, years of five digits or before Christ)
 * must be answered, too.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { topics } from './cases/topics.js';
import { checkSame } from './check-case.js';
import { type LanguageFixture, startLanguageFixture } from './language-fixture.js';
import { type MariadbFixture, startMariadbFixture } from './mariadb-fixture.js';

const beyond = new Set([
  'Readings.filter(r=>r.double<0).map(r=>r.id).sort(r=>r.id)',
  'Moments.filter(m=>m.id==11).map(m=>({r: m.at}))',
  'Moments.filter(m=>m.id==11).map(m=>({r: m.day}))',
  'Moments.filter(m=>m.id==12).map(m=>({r: m.at}))',
  'Moments.filter(m=>m.at>"9999-12-31T23:59:59.999Z").map(m=>m.id).sort(m=>m.id)',
  'Moments.filter(m=>m.at<"0001-01-01").map(m=>m.id).sort(m=>m.id)',
  'Moments.filter(m=>m.at<=d).map(m=>m.id).sort(m=>m.id)',
  'Moments.filter(m=>m.at==d).map(m=>m.id).sort(m=>m.id)',
  'Moments.filter(m=>m.day==d).map(m=>m.id).sort(m=>m.id)',
  'Moments.filter(m=>m.at==null).map(m=>m.id).sort(m=>m.id)',
  'Moments.filter(m=>m.at>m.day).map(m=>m.id).sort(m=>m.id)',
  'Moments.filter(m=>m.at==m.day).map(m=>m.id).sort(m=>m.id)',
  'Moments.map(m=>m.id).sort(m=>[m.at, m.id])',
  'Moments.map(m=>({x: max(m.clock), n: min(m.clock), d: max(m.day)}))',
]);

describeMariadb('the table of read cases', () => {
  let postgresql: LanguageFixture;
  let mariadb: MariadbFixture;

  beforeAll(async () => {
    [postgresql, mariadb] = await Promise.all([startLanguageFixture(), startMariadbFixture()]);
  });

  afterAll(() => Promise.all([postgresql.stop(), mariadb.stop()]));

  describe.each(Object.entries(topics))('%s', (_, cases) => {
    const shared = cases.filter(({ query }) => !beyond.has(query));
    test.each(shared.map((each) => [each.query, each] as const))('%s', (_query, each) =>
      checkSame(
        each,
        postgresql.answer(each.query, each.data),
        mariadb.answer(each.query, each.data),
      ),
    );
  });

  test('a computed date outside of the supported years is null', async () => {
    const later = 'Moments.filter(m=>m.id==2).map(m=>({y: addYear(m.at, 1), d: addDay(m.day, 1)}))';
    expect(await mariadb.answer(later)).toBe('[{"y":null,"d":null}]');
  });

  test.each([
    ['Moments.filter(m=>m.at<d)', '{"d": "9999-12-31T23:30:00-01:00"}'],
    ['Moments.filter(m=>today()<d)', '{"d": "9999-12-31T23:59:59-05:00"}'],
    ['Moments.filter(m=>m.at<"9999-12-31T23:30:00-01:00")', '{}'],
    ['Moments.filter(m=>in(m.day, ds))', '{"ds": ["2024-02-29", "+010000-01-01"]}'],
    ['Moments.filter(m=>m.at>d)', '{"d": "-000043-03-15"}'],
  ])('a date outside of the supported years is refused: %s', async (query, data) => {
    const problem = { code: 'value-out-of-range' };
    await expect(mariadb.answer(query, data)).rejects.toMatchObject({ problem });
  });

  test('cases with values that it does not support are answered or refused', async () => {
    const cases = Object.values(topics)
      .flat()
      .filter(({ query }) => beyond.has(query));
    expect(cases.length).toBeGreaterThanOrEqual(beyond.size);
    for (const { query, data } of cases) {
      const answer = mariadb.answer(query, data);
      if (/"[-+]0/.test(JSON.stringify(data))) await expect(answer).rejects.toThrow('years');
      else expect(JSON.parse(await answer)).toBeInstanceOf(Array);
    }
  });
});
