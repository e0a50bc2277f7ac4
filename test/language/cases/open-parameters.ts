/** Choices among parameters whose type only their values tell. */
import type { ReadCase } from '../read-case.js';

const numbers = { x: 9, y: 10, z: 10 };
const texts = { x: 'New', y: 'New York' };

/** Conditions on orders; about half of the orders have an odd number. */
const conditions = [
  ['between(x ?? y, low, high)', { x: 9, y: 2, low: 1, high: 10 }, '9 BETWEEN 1 AND 10'],
  ['between(nvl(y, x), low, high)', { x: 9, y: null, low: 1, high: 10 }, '9 BETWEEN 1 AND 10'],
  ['in((p.id%2==0 ? x : y), [z, w])', { x: 9, y: 2, z: 9.0, w: 10 }, 'orderid%2=0'],
  ['in((p.id%2==0 ? x : y), list)', { x: 9, y: 2, list: [10, 9.0] }, 'orderid%2=0'],
  ['(p.id%2==0 ? x : y) < z', { x: 9, y: 11, z: 10 }, 'orderid%2=0'],
  ['(p.id%2==0 ? x : null) < z', { x: 9, z: 10 }, 'orderid%2=0'],
  ['z > (x ?? (y ?? w))', { x: null, y: null, w: 9, z: 10 }, 'true'],
  ['nvl2(p.shippedDate, x, y) < z', { x: 9, y: 11, z: 10 }, 'shippeddate IS NOT NULL'],
  ['most >= p.details.max(d=>x)', { x: 9, most: 10 }, 'true'],
  ['(p.id%2==0 ? x : y) == z', { x: true, y: false, z: true }, 'orderid%2=0'],
  ['(p.id%2==0 ? x : y) < z', { x: '9', y: '1', z: '10' }, 'orderid%2=1'],
  ['(p.id%2==0 ? x : y) < z && z < p.id', { x: 9, y: 11, z: 10 }, 'orderid%2=0 AND orderid>10'],
] as const;

export const openParameters: readonly ReadCase[] = [
  ...conditions.map(([condition, data, sql]) => ({
    query: `Orders.filter(p=>${condition}).map(p=>p.id).sort(p=>p.id)`,
    data,
    sql: `SELECT orderid AS id FROM orders WHERE ${sql} ORDER BY 1`,
  })),
  {
    query: 'Orders.map(p=>({least: min(p.id%2==0 ? x : y), most: max(p.id%2==0 ? x : y)}))',
    data: numbers,
    rows: '[{"least": 9, "most": 10}]',
  },
  {
    query: 'Orders.map(p=>({least: min(p.id%2==0 ? x : y), most: max(p.id%2==0 ? x : y)}))',
    data: texts,
    rows: '[{"least": "New", "most": "New York"}]',
  },
  {
    query: 'Orders.filter(p=>p.id==1).map(p=>({most: p.details.max(d=>d.quantity>9 ? x : y)}))',
    data: numbers,
    rows: '[{"most": 10}]',
  },
  {
    query: 'Orders.filter(p=>p.id<5).map(p=>({v: p.id%2==0 ? x : y})).sort(p=>p.v)',
    data: numbers,
    rows: '[{"v": 9}, {"v": 9}, {"v": 10}, {"v": 10}]',
  },
  {
    query: 'Orders.filter(p=>p.id<5).sort(p=>[p.id%2==0 ? x : y, p.id]).map(p=>({id: p.id}))',
    data: numbers,
    sql: 'SELECT orderid AS id FROM orders WHERE orderid<5 ORDER BY orderid%2, 1',
  },
  {
    query: 'Orders.filter(p=>p.id<5).sort(p=>p.id%2==0 ? x : y).map(p=>({v: p.id%2==0 ? x : y}))',
    data: texts,
    rows: '[{"v": "New"}, {"v": "New"}, {"v": "New York"}, {"v": "New York"}]',
  },
  {
    query: 'Orders.map(p=>({v: p.id%2==0 ? x : y, n: count()})).page(1,1)',
    data: numbers,
    sql: 'SELECT 9 AS v, count(*) AS n FROM orders WHERE orderid%2=0',
  },
  {
    query: 'Orders.distinct(p=>({v: p.id%2==0 ? x : y})).last()',
    data: texts,
    rows: '[{"v": "New York"}]',
  },
  {
    query: 'Orders.distinct(p=>({v: p.id%2==0 ? x : y})).last()',
    data: numbers,
    rows: '[{"v": 10}]',
  },
  {
    query:
      'Orders.filter(p=>p.id==1).map(p=>({v: p.details.sort(d=>d.quantity>9 ? x : y).first(d=>d.quantity>9)}))',
    data: numbers,
    rows: '[{"v": true}]',
  },
  ...[false, true, 1, 'a', null].map((x) => ({
    query: 'Orders.filter(p=>p.id==1).map(p=>({n: p.details.count(d=>x)}))',
    data: { x },
    rows: `[{"n": ${x === false || x === null ? 0 : 2}}]`,
  })),
  {
    query: 'Orders.filter(p=>p.id==1).map(p=>({n: p.details.count(d=>d.quantity>9 ? x : y)}))',
    data: { x: false, y: true },
    sql: 'SELECT count(*) AS n FROM "Order Details" WHERE orderid=1 AND quantity<=9',
  },
];
