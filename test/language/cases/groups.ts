/** Aggregates, their groups, conditions on groups, and sorts of groups. */
import type { ReadCase } from '../read-case.js';

export const groups: readonly ReadCase[] = [
  { query: 'Products.map(p=>({c: count(p.id)}))', sql: 'SELECT 80 AS c' },
  { query: 'Products.map(p=>count(1))', sql: 'SELECT 80 AS count' },
  { query: 'Products.map(p=>count())', sql: 'SELECT 80 AS count' },
  { query: 'Products.map(p=>p.id.count())', sql: 'SELECT 80 AS count' },
  {
    query: 'Products.map(p=>({c: count(p.categoryId)}))',
    sql: 'SELECT count(categoryid) AS c FROM products',
  },
  {
    query: 'Products.map(p=>({c: count(distinct(p.categoryId))}))',
    sql: 'SELECT count(DISTINCT categoryid) AS c FROM products',
  },
  {
    query: 'Products.map(p=>({c: count(p.categoryId.distinct())}))',
    sql: 'SELECT count(DISTINCT categoryid) AS c FROM products',
  },
  {
    query:
      'Products.map(p=>({s: sum(distinct(p.reorderLevel)), a: avg(distinct(p.reorderLevel))}))',
    sql: 'SELECT sum(DISTINCT reorderlevel) AS s, avg(DISTINCT reorderlevel) AS a FROM products',
  },
  {
    query: 'Products.map(p=>[max(p.price), min(p.price), sum(p.price), avg(p.price)])',
    sql: 'SELECT max(unitprice), min(unitprice), sum(unitprice), avg(unitprice) FROM products',
  },
  {
    query: 'Products.map(p=>({s: sum(p.id), a: avg(p.id), x: max(p.id)}))',
    sql: 'SELECT sum(productid) AS s, avg(productid) AS a, max(productid) AS x FROM products',
  },
  {
    query:
      'Products.filter(p=>p.id<0).map(p=>({c: count(), s: sum(p.price), a: avg(p.price), x: max(p.name)}))',
    rows: '[{"c":0,"s":null,"a":null,"x":null}]',
  },
  { query: 'Products.filter(p=>p.id<0).map(p=>({k: p.categoryId, c: count()}))', rows: '[]' },
  {
    query:
      'Readings.filter(r=>r.id==1||r.id==6).map(r=>({w: avg(r.whole), e: avg(r.exact), d: avg(r.double)}))',
    rows: '[{"w":6172839450617283948.5,"e":61728394506172839450617285.1955,"d":-1.2}]',
  },
  {
    query:
      'Readings.filter(r=>r.id<3).map(r=>({a: avg(r.double), m: avg(distinct(r.double)) - 1, r: avg(sqrt(r.double))}))',
    rows: '[{"a":5e299,"m":5e299,"r":5e149}]',
  },
  {
    query:
      'Products.map(p=>({a: max(null) + 1, b: -min(null), c: max(null) > 2, d: max(null) ?? 3, e: title(max(null))}))',
    rows: '[{"a":null,"b":null,"c":null,"d":3,"e":null}]',
  },
  {
    query: 'Products.filter(p=>p.id<0).map(p=>({a: max(x) + 1})).having(p=>p.a==null)',
    data: { x: null },
    rows: '[{"a":null}]',
  },
  {
    query: 'Products.map(p=>({k: p.discontinued, a: 1 + max(null)})).sort(p=>p.k)',
    rows: '[{"k":false,"a":null},{"k":true,"a":null}]',
  },
  {
    query: 'Products.map(p=>({a: count() > 1 ? null : null}))',
    rows: '[{"a":null}]',
  },
  {
    query: 'Orders.map(o=>({a: avg(o.freight), i: avg(o.shipViaId)}))',
    sql: 'SELECT round((sum(freight) + 0e-40) / count(freight), 20) AS a, round((sum(shipvia) + 0e-40) / count(shipvia), 20) AS i FROM orders',
  },
  {
    query: 'Products.map(p=>({n: max(p.name), m: min(p.name)}))',
    sql: 'SELECT max(productname COLLATE "C") AS n, min(productname COLLATE "C") AS m FROM products',
  },
  {
    query: 'Products.map(p=>({n: max(p.discontinued), m: min(p.discontinued)}))',
    rows: '[{"n":true,"m":false}]',
  },
  {
    query:
      'Orders.map(p=>({x: max(p.orderDate), n: min(p.orderDate), d: max(p.shippedDate), e: min(p.requiredDate)}))',
    sql: 'SELECT max(orderdate) AS x, min(orderdate) AS n, max(shippeddate) AS d, min(requireddate) AS e FROM orders',
  },
  {
    query: 'Products.map(p=>({s: sum(p.price*p.inStock)}))',
    sql: 'SELECT sum(unitprice * unitsinstock) AS s FROM products',
  },
  {
    query: 'Products.map(p=>({s: sum(p.price)*2+1}))',
    sql: 'SELECT sum(unitprice) * 2 + 1 AS s FROM products',
  },
  {
    query: 'Products.map(p=>({r: round(avg(p.price), 2)}))',
    sql: 'SELECT round(avg(unitprice), 2) AS r FROM products',
  },
  {
    query: 'Products.map(p=>({r: max(p.price)-min(p.price)}))',
    sql: 'SELECT max(unitprice) - min(unitprice) AS r FROM products',
  },
  {
    query: 'Products.map(p=>({s: sum(p.price*1000000000000000000)}))',
    sql: 'SELECT sum(unitprice * 1000000000000000000) AS s FROM products',
  },
  { query: 'Products.map(p=>({s: sum(x)}))', data: { x: 1.5 }, sql: 'SELECT 120 AS s' },
  {
    query: 'Products.map(p=>({n: sum(p.discontinued ? 1 : 0)}))',
    sql: 'SELECT count(*) AS n FROM products WHERE discontinued',
  },
  {
    query: 'Products.map(p=>({category: p.category.name, largestPrice: max(p.price)}))',
    sql: 'SELECT categoryname AS category, max(unitprice) AS "largestPrice" FROM products LEFT JOIN categories USING (categoryid) GROUP BY 1',
  },
  {
    query: 'Products.map(p=>({k: p.categoryId, n: count()}))',
    sql: 'SELECT categoryid AS k, count(*) AS n FROM products GROUP BY 1',
  },
  {
    query: 'Products.map(p=>[p.categoryId, count(1)])',
    sql: 'SELECT categoryid AS "categoryId", count(*) FROM products GROUP BY 1',
  },
  {
    query: 'Products.map(p=>({n: count(), k: p.categoryId, d: p.discontinued}))',
    sql: 'SELECT count(*) AS n, categoryid AS k, discontinued AS d FROM products GROUP BY 2, 3',
  },
  {
    query: 'Products.map(p=>({k: p.price>50, n: count()}))',
    sql: 'SELECT unitprice > 50 AS k, count(*) AS n FROM products GROUP BY 1',
  },
  {
    query: 'Products.map(p=>({k: p.price>x, n: count()}))',
    data: { x: 30 },
    sql: 'SELECT unitprice > 30 AS k, count(*) AS n FROM products GROUP BY 1',
  },
  {
    query: 'Products.map(p=>({k: p.id%x+y, n: count()})).sort(p=>p.id%x+y)',
    data: { x: 4, y: 1 },
    sql: 'SELECT productid % 4 + 1 AS k, count(*) AS n FROM products GROUP BY 1 ORDER BY 1',
  },
  {
    query: 'Products.map(p=>({k: floor(p.price/25), n: count(), s: sum(p.inStock)})).sort(p=>p.k)',
    sql: 'SELECT floor(unitprice / 25) AS k, count(*) AS n, sum(unitsinstock) AS s FROM products GROUP BY 1 ORDER BY 1',
  },
  {
    query: 'Products.map(p=>({k: upper(p.category.name), n: count()}))',
    sql: 'SELECT upper(categoryname) AS k, count(*) AS n FROM products LEFT JOIN categories USING (categoryid) GROUP BY 1',
  },
  { query: 'Products.map(p=>({k: "all", n: count()}))', rows: '[{"k":"all","n":80}]' },
  {
    query: 'Products.map(p=>({k: p.categoryId ?? 0, n: count()})).sort(p=>p.k)',
    sql: 'SELECT coalesce(categoryid, 0) AS k, count(*) AS n FROM products GROUP BY 1 ORDER BY 1',
  },
  {
    query:
      'Orders.map(p=>({y: year(p.orderDate), m: month(p.orderDate), n: count()})).sort(p=>[p.y, p.m])',
    sql: 'SELECT extract(year from orderdate)::int AS y, extract(month from orderdate)::int AS m, count(*) AS n FROM orders GROUP BY 1, 2 ORDER BY 1, 2',
  },
  {
    query:
      'Orders.filter(p=>p.freight>100).map(p=>({c: p.customer.country, n: count(), f: sum(p.freight)})).sort(p=>[desc(p.n), p.c])',
    sql: 'SELECT c.country AS c, count(*) AS n, sum(freight) AS f FROM orders JOIN customers c USING (customerid) WHERE freight > 100 GROUP BY 1 ORDER BY 2 DESC, 1',
  },
  {
    query: 'Orders.map(p=>({c: p.customerId, n: count()})).having(p=>count()>15)',
    sql: 'SELECT customerid AS c, count(*) AS n FROM orders GROUP BY 1 HAVING count(*) > 15',
  },
  {
    query: 'Orders.map(p=>({c: p.customerId, n: count()})).having(p=>p.n>15)',
    sql: 'SELECT customerid AS c, count(*) AS n FROM orders GROUP BY 1 HAVING count(*) > 15',
  },
  {
    query: 'Orders.map(p=>({c: p.customerId, n: count()})).having(p=>p.n>x && p.c<"M")',
    data: { x: 12 },
    sql: `SELECT customerid AS c, count(*) AS n FROM orders WHERE customerid < 'M' GROUP BY 1 HAVING count(*) > 12`,
  },
  {
    query: 'Orders.having(p=>max(p.freight)>390).map(p=>({s: p.shipViaId, n: count()}))',
    sql: 'SELECT shipvia AS s, count(*) AS n FROM orders GROUP BY 1 HAVING max(freight) > 390',
  },
  {
    query: 'Orders.map(p=>({s: p.shipViaId, n: count()})).having(p=>p.s==null)',
    sql: 'SELECT NULL AS s, count(*) AS n FROM orders WHERE shipvia IS NULL',
  },
  {
    query: 'Orders.map(p=>({s: p.shipViaId, n: count()})).having(p=>p.s==x)',
    data: { x: null },
    sql: 'SELECT NULL AS s, count(*) AS n FROM orders WHERE shipvia IS NULL',
  },
  {
    query: 'Orders.map(p=>({s: p.shipViaId, n: count()})).having(p=>!(p.n>100))',
    sql: 'SELECT shipvia AS s, count(*) AS n FROM orders GROUP BY 1 HAVING count(*) <= 100',
  },
  { query: 'Orders.map(p=>({n: count()})).having(p=>count()>1000)', rows: '[]' },
  {
    query: 'Orders.map(p=>({c: p.country, n: count()})).sort(p=>[desc(count()), p.country])',
    sql: 'SELECT shipcountry AS c, count(*) AS n FROM orders GROUP BY 1 ORDER BY 2 DESC, 1',
  },
  {
    query: 'Orders.map(p=>({c: p.country, n: count()})).sort(p=>[desc(sum(p.freight))])',
    sql: 'SELECT shipcountry AS c, count(*) AS n FROM orders GROUP BY 1 ORDER BY sum(freight) DESC',
  },
  {
    query: 'Orders.map(p=>({c: p.country, n: count()})).sort(p=>p.c).page(2,4)',
    sql: 'SELECT shipcountry AS c, count(*) AS n FROM orders GROUP BY 1 ORDER BY 1 LIMIT 4 OFFSET 4',
  },
  {
    query: 'Orders.map(p=>({c: p.country, n: count()})).sort(p=>p.c).first()',
    sql: 'SELECT shipcountry AS c, count(*) AS n FROM orders GROUP BY 1 ORDER BY 1 LIMIT 1',
  },
  {
    query: 'Orders.map(p=>({c: p.country, n: count()})).count()',
    sql: 'SELECT count(DISTINCT shipcountry) FROM orders',
  },
  {
    query: 'Orders.map(p=>({c: p.country, n: count()})).having(p=>p.n>80).count()',
    sql: 'SELECT count(*) FROM (SELECT FROM orders GROUP BY shipcountry HAVING count(*) > 80) t',
  },
  {
    query: 'Orders.distinct(p=>({n: count(), k: p.shipViaId}))',
    sql: 'SELECT DISTINCT count(*) AS n, shipvia AS k FROM orders GROUP BY 2',
  },
  {
    query:
      'Orders.details.map(d=>({p: d.productId, n: count(), q: sum(d.quantity), v: sum(d.quantity*d.unitPrice)})).sort(d=>[desc(d.v), d.p]).take(5)',
    sql: 'SELECT productid AS p, count(*) AS n, sum(quantity) AS q, sum(quantity * unitprice) AS v FROM "Order Details" GROUP BY 1 ORDER BY 4 DESC, 1 LIMIT 5',
  },
  {
    query: 'Orders.details.map(d=>({c: d.product.category.name, n: count(distinct(d.orderId))}))',
    sql: 'SELECT categoryname AS c, count(DISTINCT orderid) AS n FROM "Order Details" JOIN products USING (productid) LEFT JOIN categories USING (categoryid) GROUP BY 1',
  },
  {
    query:
      'Employees.map(p=>({boss: p.reportsTo.lastName, n: count(), oldest: min(p.birthDate)})).sort(p=>p.boss)',
    sql: 'SELECT b.lastname AS boss, count(*) AS n, min(e.birthdate) AS oldest FROM employees e LEFT JOIN employees b ON b.employeeid = e.reportsto GROUP BY 1 ORDER BY 1',
  },
  {
    query: 'Readings.filter(r=>r.exact<1e27).map(r=>({k: r.exact, n: count()})).sort(r=>r.k)',
    sql: `SELECT exact AS k, count(*) AS n FROM readings WHERE exact <> 'NaN' GROUP BY 1 ORDER BY 1`,
  },
  {
    query: 'Readings.map(r=>({k: r.flag, s: sum(r.whole)}))',
    sql: 'SELECT flag AS k, sum(whole) AS s FROM readings GROUP BY 1',
  },
  {
    query: 'Orders.map(p=>({n: count(), k: p.shipViaId})).first()',
    sql: 'SELECT count(*) AS n, shipvia AS k FROM orders GROUP BY 2 ORDER BY 2 LIMIT 1',
  },
  {
    query: 'Orders.map(p=>({n: count(), k: p.shipViaId})).last()',
    sql: 'SELECT count(*) AS n, shipvia AS k FROM orders GROUP BY 2 ORDER BY 2 DESC LIMIT 1',
  },
  {
    query:
      'Orders.filter(p=>p.id<3).map(p=>p.id).include(p=>p.details.map(d=>({k: d.productId % 5, n: count()})).last())',
    sql: `SELECT o.orderid AS id, (SELECT json_agg(t) FROM (SELECT productid % 5 AS k, count(*) AS n FROM "Order Details" d
      WHERE d.orderid = o.orderid GROUP BY 1 ORDER BY 1 DESC LIMIT 1) t) AS details FROM orders o WHERE o.orderid < 3`,
  },
  {
    query:
      'Categories.map(p=>({k: p.products.count(q=>q.supplier.country=="USA"), n: count()})).sort(p=>desc(p.products.count(q=>q.supplier.country=="USA")))',
    sql: `SELECT (SELECT count(*) FROM products q JOIN suppliers s USING (supplierid) WHERE q.categoryid = c.categoryid AND s.country = 'USA') AS k,
      count(*) AS n FROM categories c GROUP BY 1 ORDER BY 1 DESC`,
  },
  {
    query:
      'Categories.map(p=>({k: p.products.filter(q=>q.price>x).max(q=>q.price), n: count()})).having(p=>p.products.filter(q=>q.price>x).max(q=>q.price)>50).sort(p=>p.k)',
    data: { x: 20 },
    sql: `SELECT * FROM (SELECT (SELECT max(unitprice) FROM products q WHERE q.categoryid = c.categoryid AND unitprice > 20) AS k, count(*) AS n
      FROM categories c GROUP BY 1) t WHERE k > 50 ORDER BY 1`,
  },
  {
    query:
      'Categories.map(p=>({k: p.products.count(), n: count()})).sort(p=>p.products.count(q=>q.price>1))',
    refused: 'wrong-arguments',
  },
  {
    query:
      'Categories.map(p=>({k: p.products.sort(q=>q.price).first(q=>q.name), n: count()})).sort(p=>p.products.sort(q=>desc(q.price)).first(q=>q.name))',
    refused: 'wrong-arguments',
  },
  {
    query:
      'Products.map(p=>({categoryId: p.categoryId, price: max(p.price)})).having(p=>max(p.price)>60 && p.price<95).sort(p=>[desc(max(p.price)), p.categoryId])',
    sql: `SELECT categoryid AS "categoryId", max(unitprice) AS price FROM products GROUP BY 1
      HAVING max(unitprice) > 60 AND max(unitprice) < 95 ORDER BY 2 DESC, 1`,
  },
  {
    query:
      'Products.map(p=>({price: p.categoryId, id: count(p.inStock)})).having(p=>min(p.price)<3).sort(p=>[sum(distinct(p.id)), p.price])',
    sql: `SELECT categoryid AS price, count(unitsinstock) AS id FROM products GROUP BY 1
      HAVING min(unitprice) < 3 ORDER BY sum(DISTINCT productid), 1`,
  },
  {
    query:
      'Products.map(p=>({double: p.price*2, n: count()})).having(p=>max(p.double)>150).sort(p=>min(p.double))',
    sql: `SELECT unitprice * 2 AS double, count(*) AS n FROM products GROUP BY 1 HAVING max(unitprice * 2) > 150 ORDER BY 1`,
  },
  {
    query: 'Products.map(p=>({most: max(p.price), id: p.categoryId})).having(p=>max(p.most)>1)',
    refused: 'wrong-arguments',
  },
];
