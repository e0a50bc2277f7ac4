/** Texts of intervals: Rowgate accepts those that PostgreSQL reads, because MariaDB would store any text. */
import { expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Waits',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', autoIncrement: true },
      { name: 'time', type: 'interval' },
    ],
  },
];

const right = [
  ...[
    'P1Y2M3W4DT5H6M7.5S',
    'P-1DT-2H',
    'PT1.5H',
    'P0001-02-03T04:05:06',
    'P00010203T040506',
    'infinity',
  ],
  ...[
    '1 day 02:00:00',
    '1 12:59:10',
    '1-2',
    '-1-2 +3 -4:05:06',
    '3 weeks ago',
    '@ 1 day, 2 hours',
    '1d 2h3m',
    '90',
  ],
  ...[
    '- 1.5 days',
    '1 y 2 mons 3 w 4 d 5 h 6 min 7 s 8 ms 9 us',
    '2 millennia 1 c 3 decades',
    '1:2.5',
    '24:00 ago',
  ],
];
const wrong = [
  ...[
    '++1:2',
    '1 1',
    '1 day 1 day',
    '1 h 2:00',
    '2+',
    '. 2',
    '1 fortnight',
    '1:60',
    '1-12',
    '1:2:3:4',
    '1 day ago 2 h',
  ],
  ...[
    'P',
    '1'.repeat(257),
    'P1D2',
    '-P1D',
    'p1d',
    'P1 D',
    '1e3 days',
    '12:30 1',
    '1 ago',
    '1 dayago',
    'day',
    '+-1 day',
    '1..5 s',
  ],
];

describeDomain('intervals', entities, (stage) => {
  test.each(right)('%s is stored', async (time) => {
    expect(await stage().problem('Waits.insert()', { time })).toBeUndefined();
  });

  test.each(wrong)('%s is refused before it is sent', async (time) => {
    const problem = { code: 'parameter-type', place: 'data.time' };
    expect(await stage().problem('Waits.insert()', { time })).toMatchObject(problem);
  });

  test('are found by the text that was sent, and by the one that is answered', async () => {
    await stage().ask('Waits.deleteAll()');
    await stage().ask('Waits.bulkInsert()', [{ time: '1 day' }, { time: '2 days 01:00:00' }]);
    expect(await stage().ask('Waits.map(p=>p.time)')).toEqual([
      { time: 'P1D' },
      { time: 'P2DT1H' },
    ]);
    for (const time of ['1 day', 'P1D']) {
      const query = 'Waits.filter(p=>p.time==time).map(p=>p.time)';
      expect(await stage().ask(query, { time })).toEqual([{ time: 'P1D' }]);
    }
  });
});
