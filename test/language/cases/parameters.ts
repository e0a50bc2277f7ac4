/** Parameters of every type, as paths into the data, and in place of other expressions. */
import type { ReadCase } from '../read-case.js';
import { ordersWhere, type Pair, productsMap, productsWhere } from './shapes.js';

const onProducts: readonly Pair[] = [
  ['p.id==id', 'productid = 2', { id: 2 }],
  ['p.id==id', 'productid = 2', { id: '2' }],
  ['p.id==id', 'productid = 2', '{"id": 2.0}'],
  ['p.id==id && p.id<=id', 'productid = 2', { id: 2 }],
  ['p.id==id', 'productid = 3', { id: 3, unused: [1, { a: null }] }],
  ['p.name==name', "productname = 'Alpine Fleur de Sel'", { name: 'Alpine Fleur de Sel' }],
  ['p.name==name', 'false', { name: "' OR 1=1 --" }],
  ['p.discontinued==flag', 'discontinued', { flag: true }],
  ['flag', 'true', { flag: true }],
  ['flag', 'false', { flag: false }],
  ['!flag', 'true', { flag: false }],
  ['flag && p.id<3', 'productid < 3', { flag: true }],
  ['flag ? p.id<3 : p.id>78', 'productid > 78', { flag: false }],
  ['p.price>low && p.price<=high', 'unitprice > 10 AND unitprice <= 20.5', { low: 10, high: 20.5 }],
  ['p.price>low', 'unitprice > 10.25', { low: '10.25' }],
  ['p.price>low', 'unitprice > 10', '{"low": 1e1}'],
  ['p.id==entity.id', 'productid = 4', { entity: { id: 4 } }],
  ['p.id==a.b.c', 'productid = 4', { a: { b: { c: 4 } } }],
  ['p.id==entity.id || p.name==entity.name', 'productid = 4', { entity: { id: 4, name: '' } }],
  ['p.id==p1.id', 'productid = 5', { p1: { id: 5 } }],
  ['p.id<limit+1', 'productid < 6', { limit: 5 }],
  ['p.id*factor>150', 'productid * 1.9 > 150', { factor: 1.9 }],
  ['p.id%n==r', 'productid % 7 = 3', { n: 7, r: 3 }],
  ['p.price-discount>=90', 'unitprice >= 95.5', { discount: 5.5 }],
  ['p.price<x', 'true', '{"x": 123456789012345678901234567890.5}'],
  ['startsWith(p.name, s)', "starts_with(productname, 'Bio')", { s: 'Bio' }],
  ['contains(p.name, s)', "productname LIKE '%é%'", { s: 'é' }],
  ['contains(p.name, s)', 'false', { s: '%' }],
  ['like(p.name, s)', "productname LIKE '%e'", { s: '%e' }],
  ['p.name.endsWith(s)', "productname LIKE '%d'", { s: 'd' }],
  ['length(p.name)>n', 'length(productname) > 20', { n: 20 }],
  ['lower(p.name)==lower(s)', "productname = 'Alpine Fleur de Sel'", { s: 'ALPINE fleur DE sel' }],
  ['p.name+s=="Alpine Fleur de Sel!"', "productname = 'Alpine Fleur de Sel'", { s: '!' }],
  ['a==b', 'true', { a: 1, b: 1 }],
  ['a==b', 'false', { a: 'x', b: 'y' }],
  ['p.orderDetails.max(d=>x)==p.id', 'productid = 3', { x: 3 }],
  ['a<b', 'true', { a: 1, b: 2 }],
  ['in(a, [1, 2])', 'true', { a: 2 }],
  ['p.id==(flag ? a : b)', 'productid = 1', { flag: true, a: 1, b: 2 }],
  ['nvl(x, p.id)<3', 'productid < 3', { x: null }],
  ['p.id==__proto__', 'productid = 1', '{"__proto__": 1}'],
  ['p.id==toString', 'productid = 1', { toString: 1 }],
];

const onOrders: readonly Pair[] = [
  ['p.customerId==customerId', "customerid = 'XOGDQ'", { customerId: 'XOGDQ' }],
  ['p.orderDate>=d', "orderdate >= '2025-12-01Z'", { d: '2025-12-01' }],
  ['p.orderDate>=d', "orderdate >= '2025-12-01 10:00:00Z'", { d: '2025-12-01T12:00:00+02:00' }],
  ['p.orderDate>=d', "orderdate >= '2025-12-01 12:00:00.5Z'", { d: '2025-12-01T12:00:00.5' }],
  ['p.orderDate<d', "orderdate < '2021-01-06 00:00Z'", { d: '2021-01-05T19:00-05:00' }],
  ['p.requiredDate==d', "requireddate = '2021-02-01'", { d: '2021-02-01' }],
  ['p.requiredDate==d', "requireddate = '2021-02-01'", { d: '2021-01-31T20:00:00-05:00' }],
  ['p.requiredDate<=d', "requireddate <= '2021-02-01'", { d: '2021-02-01T23:59:59Z' }],
  [
    'between(p.shippedDate, a, b)',
    "shippeddate BETWEEN '2021-02-01' AND '2021-02-28'",
    { a: '2021-02-01', b: '2021-02-28' },
  ],
  ['year(p.orderDate)==y', 'extract(year from orderdate) = 2023', { y: 2023 }],
  [
    'exists(p.details, d=>d.quantity>q)',
    'orderid IN (SELECT orderid FROM "Order Details" WHERE quantity > 118)',
    { q: 118 },
  ],
];

const values: readonly Pair[] = [
  ['x+1', '6', { x: 5 }],
  ['x+0.1', '0.3', '{"x": 0.2}'],
  [
    'p.price+x',
    'unitprice + 123456789012345678901234.567891',
    { x: '123456789012345678901234.567891' },
  ],
  ['p.id+x', 'productid + 12345678901234567890', '{"x": 12345678901234567890}'],
  ['x*y', '12345678901234567890123456789', '{"x": 12345678901234567890123456789, "y": 1}'],
  ['round(p.price*d, 1)', 'round(unitprice * 1.05, 1)', { d: 1.05 }],
  ['"<"+s+">"', "'<é\"''\\>'", { s: 'é"\'\\' }],
  ['p.name==s', "productname = 'x'", { s: 'x' }],
  ['s', "'😀'", { s: '😀' }],
  ['upper(s)', "'ABC'", { s: 'abc' }],
  ['-x', '-5', { x: 5 }],
  ['~x', '-6', { x: 5 }],
  ['x & 6', '4', { x: 5 }],
  ['x ? 1 : 2', '1', { x: true }],
];

/** Their types cannot be inferred, so they are answered unchanged. */
const asGiven: readonly ReadCase[] = [
  ...[
    '67',
    '67.125',
    '12345678901234567890.123456789',
    'true',
    'null',
    '""',
    '"a\\"b\\u0000"',
    '[1, {"a": null, "b": []}, "x", 12345678901234567890]',
    '{}',
  ].map((x) => ({
    query: 'Products.filter(p=>p.id==1).map(p=>({x: x}))',
    data: `{"x": ${x}}`,
    rows: `[{"x": ${x}}]`,
  })),
  {
    query: 'Products.filter(p=>p.id<3).map(p=>({id: p.id, x: p.id==1 ? x : y})).sort(p=>p.id)',
    data: { x: null, y: { a: [1.5] } },
    rows: '[{"id": 1, "x": null}, {"id": 2, "x": {"a": [1.5]}}]',
  },
  {
    query: 'Products.filter(p=>p.id==1).map(p=>({a: x ?? y, b: nvl(x, y), c: nvl2(x, x, y)}))',
    data: { x: null, y: 3.1 },
    rows: '[{"a": 3.1, "b": 3.1, "c": 3.1}]',
  },
  {
    query: 'Products.map(p=>({x: x, m: max(x), n: count()}))',
    data: { x: 4 },
    sql: 'SELECT 4 AS x, 4 AS m, count(*) AS n FROM products',
  },
  { query: 'Products.distinct(p=>({x: x}))', data: { x: [4] }, rows: '[{"x": [4]}]' },
  {
    query: 'Products.filter(p=>p.id<3).map(p=>({x: e.list, id: p.id})).sort(p=>[p.x, desc(p.id)])',
    data: { e: { list: [4] } },
    rows: '[{"x": [4], "id": 2}, {"x": [4], "id": 1}]',
  },
  {
    query: 'Products.filter(p=>p.id==1).map(p=>({x: p.orderDetails.first(d=>x), t: "n" + x}))',
    data: { x: 5 },
    rows: '[{"x": 5, "t": "n5"}]',
  },
  {
    query:
      'Products.filter(p=>p.id==11).map(p=>p.id).include(p=>p.category.map(c=>({id: c.id, x: x})))',
    data: { x: { a: 1 } },
    sql: `SELECT productid AS id, CASE WHEN categoryid > 0
      THEN json_build_object('id', categoryid, 'x', '{"a": 1}'::json) END AS category
      FROM products WHERE productid = 11`,
  },
];

/** Parameters of expressions that the statements do not contain. */
const notSent: readonly ReadCase[] = [
  {
    query: 'Products.map(p=>({x: p.price*x})).sort(p=>p.id+y).count()',
    data: { x: 2, y: 1 },
    rows: '[{"count": 80}]',
  },
  {
    query: 'Products.map(p=>({n: p.orderDetails.sort(d=>d.quantity*x).count()})).take(0)',
    data: { x: 2 },
    rows: '[]',
  },
];

export const parameters: readonly ReadCase[] = [
  ...onProducts.map(productsWhere),
  ...onOrders.map(ordersWhere),
  ...values.map(productsMap),
  ...asGiven,
  ...notSent,
  {
    query:
      'Orders.filter(p=>p.id<limit).map(p=>({id: p.id, q: p.details.sum(d=>d.quantity*x)})).sort(p=>p.q*x).page(n, n)',
    data: { limit: 40, x: 2, n: 2 },
    sql: `SELECT orderid AS id, (SELECT sum(quantity * 2) FROM "Order Details" d WHERE d.orderid = o.orderid) AS q
      FROM orders o WHERE orderid < 40 ORDER BY 2, 1 LIMIT 2 OFFSET 2`,
  },
];
