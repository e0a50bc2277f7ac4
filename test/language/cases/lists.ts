/** Lists: as literals, as parameters, empty, and with null. */
import type { ReadCase } from '../read-case.js';
import { ordersWhere, type Pair, productsMap, productsWhere } from './shapes.js';

const thousand = Array.from({ length: 5000 }, (_, index) => index * 3);

const onProducts: readonly Pair[] = [
  ['in(p.id, [1, 2, 3])', 'productid IN (1, 2, 3)'],
  ['p.id.in([1, 2, 3])', 'productid IN (1, 2, 3)'],
  ['[1, 2, 3].includes(p.id)', 'productid IN (1, 2, 3)'],
  ['includes([1, 2, 3], p.id)', 'productid IN (1, 2, 3)'],
  ['!in(p.id, [1, 2, 3])', 'productid NOT IN (1, 2, 3)'],
  ['in(p.id, [])', 'false'],
  ['!in(p.id, [])', 'true'],
  ['in(p.categoryId, [])', 'false'],
  ['!in(p.categoryId, [])', 'true'],
  ['in(p.id, [5])', 'productid = 5'],
  ['in(p.id, [p.supplierId, 7])', 'productid = supplierid OR productid = 7'],
  ['in(p.id, [1+1, 2*3])', 'productid IN (2, 6)'],
  ['in(p.id, [1, null])', 'productid = 1'],
  ['!in(p.id, [1, null])', 'false'],
  ['in(p.categoryId, [1, 2])', 'categoryid IN (1, 2)'],
  ['!in(p.categoryId, [1, 2])', 'categoryid NOT IN (1, 2)'],
  ['in(p.name, ["Alpine Fleur de Sel", "x"])', "productname IN ('Alpine Fleur de Sel', 'x')"],
  ['in(p.price, [1.5, 2])', 'unitprice IN (1.5, 2)'],
  ['in(p.discontinued, [true])', 'discontinued'],
  ['in(p.id, ids)', 'productid IN (1, 2, 3)', { ids: [1, 2, 3] }],
  ['p.id.in(ids)', 'productid IN (2, 3)', { ids: [2, 3] }],
  ['ids.includes(p.id)', 'productid IN (2, 3)', { ids: [2, 3] }],
  ['includes(ids, p.id)', 'productid IN (4)', { ids: [4] }],
  ['in(p.id, ids)', 'false', { ids: [] }],
  ['!in(p.id, ids)', 'true', { ids: [] }],
  ['!in(p.categoryId, ids)', 'true', { ids: [] }],
  ['!in(p.id, ids)', 'productid NOT IN (1, 2, 3)', { ids: [1, 2, 3] }],
  ['in(p.id, ids)', 'productid = 1', { ids: [1, null] }],
  ['!in(p.id, ids)', 'false', { ids: [1, null] }],
  ['in(p.id, ids)', 'false', { ids: null }],
  ['!in(p.id, ids)', 'false', { ids: null }],
  ['in(p.id, ids)', 'productid % 3 = 0', { ids: thousand }],
  ['in(p.id, ids)', 'productid IN (1, 2)', { ids: ['1', '2'] }],
  [
    'in(p.name, names)',
    'false',
    { names: ["x'); DROP TABLE products; --", '{a,b}', '"', '\\', ''] },
  ],
  [
    'in(p.quantity, packs)',
    "quantityperunit IN ('5 kg box', '2 kg box')",
    { packs: ['5 kg box', '2 kg box', 'NULL'] },
  ],
  ['in(p.id, data.ids)', 'productid IN (7, 8)', { data: { ids: [7, 8] } }],
  ['in(p.id, ids) && !in(p.id, others)', 'productid IN (1, 3)', { ids: [1, 2, 3], others: [2] }],
  ['in(p.id, ids) || in(p.supplierId, ids)', '2 IN (productid, supplierid)', { ids: [2] }],
  ['in(p.price, prices)', 'unitprice IN (72.61, 2.5)', '{"prices": [72.610, 2.5]}'],
  ['in(x, [p.id, p.supplierId])', '5 IN (productid, supplierid)', { x: 5 }],
  ['in(3, ids)', 'true', { ids: [1, 3] }],
  ['in(p.id, [a, b])', 'productid IN (11, 12)', { a: 11, b: 12 }],
  ['in(p.id, [a, b])', 'productid = 12', { a: null, b: 12 }],
  ['between(p.id, 3, 5)', 'productid BETWEEN 3 AND 5'],
  ['p.id.between(a, b)', 'productid BETWEEN 3 AND 5', { a: 3, b: 5 }],
  ['!between(p.categoryId, 2, 4)', 'categoryid NOT BETWEEN 2 AND 4'],
];

const onOrders: readonly Pair[] = [
  ['in(p.country, ["Japan", "Spain"])', "shipcountry IN ('Japan', 'Spain')"],
  ['in(p.region, regions)', "shipregion IN ('OR', 'ID')", { regions: ['OR', 'ID', null] }],
  ['!in(p.region, regions)', "shipregion NOT IN ('OR', 'ID')", { regions: ['OR', 'ID'] }],
  [
    'in(p.shippedDate, ["2021-02-01", "2021-02-02"])',
    "shippeddate IN ('2021-02-01', '2021-02-02')",
  ],
  [
    'in(p.shippedDate, days)',
    "shippeddate IN ('2021-02-01', '2021-02-02')",
    { days: ['2021-02-01', '2021-02-02T23:00:00Z'] },
  ],
  [
    'between(p.orderDate, "2022-01-01", "2022-02-01")',
    "orderdate BETWEEN '2022-01-01Z' AND '2022-02-01Z'",
  ],
];

export const lists: readonly ReadCase[] = [
  ...onProducts.map(productsWhere),
  ...onOrders.map(ordersWhere),
  productsMap(['in(p.categoryId, [1, 2])', 'categoryid IN (1, 2)']),
  productsMap(['in(p.id, ids)', 'productid IN (1, 2)', { ids: [1, 2] }]),
  productsMap(['in(p.id, ids)', 'productid IN (1, NULL)', { ids: [1, null] }]),
];
