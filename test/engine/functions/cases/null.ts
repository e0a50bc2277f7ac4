/** Cases of functions that replace null. */
import type { FunctionCase } from '../function-case.js';

export const nullCases: readonly FunctionCase[] = [
  { call: 'nvl(p.quantity, "none")', id: 2, gives: '"none"' },
  { call: 'p.quantity.nvl("none")', gives: '"10 boxes x 20 bags"' },
  { call: 'coalesce(p.price, null, x, 3)', id: 2, data: { x: 2.5 }, gives: '2.5' },
  { call: 'nvl(p.price, 0)', id: 2, gives: '0' },
  {
    call: 'nvl(p.orderDate, "2020-01-01")',
    orders: true,
    id: 2,
    gives: '"2020-01-01T00:00:00.000Z"',
  },
  { call: 'nvl(p.orderDate, p.requiredDate)', orders: true, gives: '"1996-07-03T22:00:00.123Z"' },
  { call: 'nvl(p.discontinued, false)', gives: 'false' },
  { call: 'nvl(null, null)', gives: 'null' },
  { call: 'nvl(x, y)', data: { x: null, y: 'b' }, gives: '"b"' },
  { call: 'nvl(p.price)', gives: '18' },
  { call: 'nvl2(p.quantity, "some", "none")', id: 2, gives: '"none"' },
  { call: 'nvl2(p.quantity, p.price, 0)', gives: '18' },
  { call: 'nvl2(x, 1, y)', data: { x: null, y: 2.5 }, gives: '2.5' },
  { call: 'nvl2(p.price > 1, "y", "n")', gives: '"y"' },
];
