/** Dates and dateTimes that are compared with the same parameter, or with each other. */
import { beforeAll, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Visits',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'at', type: 'dateTime' },
      { name: 'day', type: 'date' },
      { name: 'shown', type: 'date', view: true, readExp: 'at' },
    ],
  },
];

const ten = { x: '2024-02-29T10:00:00Z' };
const eleven = { x: '2024-02-29T11:00:00Z' };
const midnight = { x: '2024-02-29T00:00:00Z' };

describeDomain('a date and a dateTime', entities, (stage) => {
  beforeAll(async () => {
    await stage().ask('Visits.insert()', { id: 1, at: ten.x, day: '2024-02-29' });
  });

  test.each([
    ['p.at>=x && p.day!=x', eleven, false],
    ['p.day!=x && p.at>=x', eleven, false],
    ['p.at>=x && p.day!=x', ten, true],
    ['p.at>=x && p.day==x', midnight, true],
    ['p.at==x && p.day<x', ten, true],
    ['p.at==x && in(p.day, [x])', ten, false],
    ['p.at==x && between(p.day, "2024-02-29", x)', ten, true],
    ['hour(x)==10 && p.day==x', ten, false],
    ['p.day==x && hour(x)==10', ten, false],
    ['p.day==x && hour(x)==0', midnight, true],
    ['p.at==x && date(x)==p.day', ten, true],
    ['nvl(p.day, x)==p.day && p.at==x', ten, true],
    ['p.day==x', ten, true],
    ['between(p.day, x, p.at)', ten, false],
    ['between(p.day, x, p.at)', midnight, true],
    ['between(p.day, p.at, x)', ten, false],
    ['in(p.day, [x, p.at])', ten, false],
    ['in(p.day, [x, p.at])', midnight, true],
    ['in(p.at, [x, p.day])', ten, true],
    ['in(p.day, ["2024-02-29T10:00:00Z", p.at])', {}, false],
    ['in(p.day, ["2024-02-29T00:00:00Z", p.at])', {}, true],
    ['between(p.day, "2024-02-29T10:00:00Z", p.at)', {}, false],
    ['between(p.day, "2024-02-28T10:00:00Z", p.at)', {}, true],
    ['in(p.day, list) && in(p.at, list)', { list: [ten.x] }, false],
    ['in(p.day, list) && in(p.at, list)', { list: [ten.x, midnight.x] }, true],
    ['in(p.day, list)', { list: [ten.x] }, true],
  ])('%s with %j is %s', async (condition, data, isTrue) => {
    const rows = await stage().ask(`Visits.filter(p=>${condition}).map(p=>p.id)`, data);
    expect(rows).toEqual(isTrue ? [{ id: 1 }] : []);
  });

  test('a choice of a date or such a parameter has the time of the parameter', async () => {
    const query = 'Visits.map(p=>({a: p.id==2 ? p.day : x, b: nvl(null ?? p.day, x), c: hour(x)}))';
    const greatest = 'Visits.map(p=>({a: max(p.id==2 ? p.day : x), b: max(hour(x))}))';
    const first = '2024-02-29T10:00:00.000Z';
    expect(await stage().ask(query, ten)).toEqual([
      { a: first, b: '2024-02-29T00:00:00.000Z', c: 10 },
    ]);
    expect(await stage().ask(greatest, ten)).toEqual([{ a: first, b: 10 }]);
  });

  test('a date that is read from an instant has no time', async () => {
    const shown = '2024-02-29T00:00:00.000Z';
    expect(await stage().ask('Visits.map(p=>p.shown)')).toEqual([{ shown }]);
    expect(await stage().ask('Visits.map(p=>({x: max(p.shown)}))')).toEqual([{ x: shown }]);
    const equal = 'Visits.filter(p=>p.shown==p.day && p.shown==date(p.at)).map(p=>p.id)';
    expect(await stage().ask(equal)).toEqual([{ id: 1 }]);
  });

  test('a date is stored of such a parameter', async () => {
    const day = (id: number) => stage().ask(`Visits.filter(p=>p.id==${id}).map(p=>p.day)`);
    const update = 'Visits.update(p=>({day: x})).filter(p=>p.at==x)';
    expect(await stage().ask(update, ten)).toBe(1);
    expect(await day(1)).toEqual([{ day: '2024-02-29T00:00:00.000Z' }]);
    await stage().ask('Visits.insert({id: i, at: x, day: x})', { i: 2, ...eleven });
    expect(await day(2)).toEqual([{ day: '2024-02-29T00:00:00.000Z' }]);
    await stage().ask('Visits.delete()', { id: 2 });
  });
});
