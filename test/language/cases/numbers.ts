/**
 * Numbers are compared as numbers, whatever the type of the column: integers with fractions and with
 * large numbers.
 */
import type { ReadCase } from '../read-case.js';
import { type Pair, productsWhere } from './shapes.js';

const great = '{"x": 1000000000000}';
const greater = '{"x": 12345678901234567890123}';

const literals: readonly Pair[] = [
  ['p.supplierId==2.25', 'false'],
  ['p.supplierId==2.0', 'supplierid = 2'],
  ['p.supplierId!=2.25', 'true'],
  ['p.supplierId==-2.25', 'false'],
  ['2.25==p.supplierId', 'false'],
  ['p.supplierId<2.5', 'supplierid <= 2'],
  ['p.supplierId==1000000000000', 'false'],
  ['p.supplierId<1e30', 'true'],
  ['in(p.supplierId, [2.25])', 'false'],
  ['in(p.supplierId, [2.25, 3])', 'supplierid = 3'],
  ['!in(p.supplierId, [2.25, 1e12])', 'true'],
  ['between(p.supplierId, 1.5, 1e12)', 'supplierid > 1'],
];

const parameters: readonly Pair[] = [
  ['p.supplierId==x', 'false', { x: 2.25 }],
  ['p.supplierId==x', 'supplierid = 2', { x: '2.0' }],
  ['p.supplierId!=x', 'true', { x: 2.25 }],
  ['p.supplierId<x', 'supplierid <= 2', { x: 2.5 }],
  ['!(p.supplierId<=x)', 'supplierid > 2', { x: 2.5 }],
  ['p.id==x', 'false', great],
  ['p.id!=x', 'true', great],
  ['p.id<x', 'true', great],
  ['p.id==x', 'false', greater],
  ['p.id>x', 'false', greater],
  ['x>=p.id', 'true', greater],
  ['p.id==x', 'false', '{"x": 9223372036854775808}'],
  ['p.id>x', 'true', '{"x": -9223372036854775809}'],
  ['p.id==x+0.5', 'productid = 2', { x: 1.5 }],
  ['p.id==x || p.price==x', 'unitprice = 53.73', { x: 53.73 }],
  ['p.id==x && p.price!=x', 'productid = 3', { x: 3 }],
  ['p.id>x && x==y', 'productid > 1', { x: 1.5, y: 1.5 }],
  ['p.id>x && x<y', 'productid > 1', { x: 1, y: 1.5 }],
  ['p.id==(f ? x : y)', 'productid = 2', { f: false, x: 1.5, y: 2 }],
  ['nvl(x, p.id)==1.5', 'true', { x: 1.5 }],
  ['p.categoryId==x && p.id>y', 'categoryid IS NULL AND productid > 2', { x: null, y: 2.5 }],
  ['in(p.id, l)', 'productid = 2', { l: [2, 2.25, 1e12] }],
  ['in(p.id, l)', 'productid IN (1, 2)', { l: [1e12, 1, '2'] }],
  ['in(p.supplierId, l)', 'false', { l: [2.25] }],
  ['!in(p.id, l)', 'productid <> 2', { l: [2, 2.25] }],
  ['in(p.id, [1.5, x])', 'productid = 2', { x: 2 }],
  ['in(p.id, [2, x])', 'productid = 2', { x: 1.5 }],
  ['l.includes(p.id)', 'productid = 2', { l: [1.5, 2] }],
  ['between(p.id, low, high)', 'productid BETWEEN 2 AND 80', { low: 1.5, high: 1e12 }],
  ['between(p.id, low, high)', 'productid <= 3', '{"low": -1e40, "high": 3.99}'],
  ['length(p.name)>x', 'length(productname) > 20', { x: 20.5 }],
  ['p.orderDetails.count()>x', detailsWhere('count(*) > 30'), { x: 30.5 }],
  ['p.orderDetails.sum(d=>d.productId)>x', detailsWhere('sum(productid) > 100'), { x: 100.5 }],
  [
    'in(p.orderDetails.sum(d=>d.productId), l)',
    detailsWhere('sum(productid) = 27'),
    { l: [27, 1.5] },
  ],
];

function detailsWhere(having: string): string {
  return `productid IN (SELECT productid FROM "Order Details" GROUP BY 1 HAVING ${having})`;
}

const others: readonly ReadCase[] = [
  {
    query: 'Readings.filter(r=>r.whole==x).map(r=>r.id)',
    data: '{"x": "12345678901234567890.0"}',
    rows: '[{"id": 1}]',
  },
  {
    query: 'Readings.filter(r=>r.whole>x).map(r=>r.id).sort(r=>r.id)',
    data: { x: 6.5 },
    rows: '[{"id": 1}, {"id": 3}, {"id": 6}, {"id": 8}]',
  },
  {
    query: 'Products.map(p=>({c: p.categoryId, n: count()})).having(p=>p.n>x).sort(p=>p.c)',
    data: { x: 9.5 },
    sql: 'SELECT categoryid AS c, count(*) AS n FROM products GROUP BY 1 HAVING count(*) > 9 ORDER BY 1',
  },
  {
    query: 'Orders.filter(p=>p.id==id).map(p=>p.id).include(p=>p.details.filter(d=>d.productId<x))',
    data: { id: 1, x: 0.5 },
    rows: '[{"id": 1, "details": []}]',
  },
  {
    query: 'Products.filter(p=>p.id==2).map(p=>({x: nvl(x, p.id), y: p.id==1 ? 1 : y}))',
    data: { x: 1.5, y: '12345678901234567890123' },
    rows: '[{"x": 1.5, "y": 12345678901234567890123}]',
  },
];

export const numbers: readonly ReadCase[] = [
  ...literals.map(productsWhere),
  ...parameters.map(productsWhere),
  ...others,
];
