/**
 * Values from the related rows of a relation to many: aggregates, which may also read the outer row.
 */
import type { ReadCase } from '../read-case.js';

const ofTheRowOutside: readonly ReadCase[] = [
  {
    query: 'Products.map(p=>({id: p.id, x: p.orderDetails.min(d=>p.id)})).sort(p=>p.id)',
    sql: `SELECT productid AS id,
      CASE WHEN exists(SELECT FROM "Order Details" d WHERE d.productid = p.productid) THEN productid END AS x
      FROM products p ORDER BY 1`,
  },
  {
    query: 'Products.map(p=>({id: p.id, x: p.orderDetails.sum(d=>p.price*2)})).sort(p=>p.id)',
    sql: `SELECT productid AS id, 2 * unitprice
      * (SELECT nullif(count(*), 0) FROM "Order Details" d WHERE d.productid = p.productid) AS x
      FROM products p ORDER BY 1`,
  },
  {
    query: 'Products.filter(p=>p.orderDetails.max(d=>p.category.id)==2).map(p=>p.id).sort(p=>p.id)',
    sql: `SELECT productid AS id FROM products p WHERE categoryid = 2
      AND exists(SELECT FROM "Order Details" d WHERE d.productid = p.productid) ORDER BY 1`,
  },
  {
    query:
      'Orders.map(o=>({id: o.id, n: o.details.count(d=>o.shippedDate)})).sort(o=>o.id).take(9)',
    sql: `SELECT orderid AS id, (SELECT count(CASE WHEN d.orderid > 0 THEN o.shippeddate END)
      FROM "Order Details" d WHERE d.orderid = o.orderid) AS n FROM orders o ORDER BY 1 LIMIT 9`,
  },
  {
    query: 'Products.filter(p=>p.id<4).map(p=>({n: p.orderDetails.count(d=>distinct(p.name))}))',
    sql: 'SELECT 1 AS n FROM products WHERE productid < 4',
  },
  {
    query:
      'Categories.map(c=>({id: c.id, x: c.products.max(p=>c.products.count())})).sort(c=>c.id)',
    sql: 'SELECT categoryid AS id, count(*) AS x FROM products WHERE categoryid > 0 GROUP BY 1 ORDER BY 1',
  },
  {
    query:
      'Categories.map(c=>({id: c.id, x: c.products.max(p=>p.orderDetails.max(d=>c.id))})).sort(c=>c.id)',
    sql: 'SELECT categoryid AS id, categoryid AS x FROM categories ORDER BY 1',
  },
  {
    query:
      'Categories.map(c=>({id: c.id, x: c.products.max(p=>p.orderDetails.max(d=>p.id))})).sort(c=>c.id)',
    sql: `SELECT categoryid AS id, max(productid) AS x FROM products p
      WHERE categoryid > 0
      AND exists(SELECT FROM "Order Details" d WHERE d.productid = p.productid) GROUP BY 1 ORDER BY 1`,
  },
  {
    query: 'Products.map(p=>({s: sum(p.orderDetails.max(d=>p.id)), n: count()}))',
    sql: `SELECT (SELECT sum(productid) FROM products p
      WHERE exists(SELECT FROM "Order Details" d WHERE d.productid = p.productid)) AS s, count(*) AS n FROM products`,
  },
  {
    query: 'Categories.map(c=>c.id).sort(c=>[desc(c.products.max(p=>c.id))])',
    sql: 'SELECT categoryid AS id FROM categories ORDER BY 1 DESC',
  },
];

const ofOneRow: readonly ReadCase[] = [
  {
    query:
      'Customers.map(p=>({id: p.id, f: p.orders.sort(o=>desc(o.orderDate)).first(o=>o.freight)})).sort(p=>p.id)',
    sql: `SELECT customerid AS id, (SELECT freight FROM orders o WHERE o.customerid = c.customerid
      ORDER BY orderdate DESC LIMIT 1) AS f FROM customers c ORDER BY 1`,
  },
  {
    query:
      'Customers.map(p=>({id: p.id, f: p.orders.first(o=>o.id), l: p.orders.last(o=>o.id)})).sort(p=>p.id)',
    sql: `SELECT customerid AS id, min(orderid) AS f, max(orderid) AS l
      FROM customers LEFT JOIN orders USING (customerid) GROUP BY 1 ORDER BY 1`,
  },
  {
    query:
      'Customers.map(p=>({id: p.id, f: p.orders.sort(o=>[o.shippedDate, o.id]).first(o=>o.shippedDate), l: p.orders.sort(o=>[o.shippedDate, o.id]).last(o=>o.shippedDate)})).sort(p=>p.id)',
    sql: `SELECT customerid AS id, min(shippeddate) AS f,
      CASE WHEN count(*) = count(shippeddate) THEN max(shippeddate) END AS l
      FROM customers LEFT JOIN orders USING (customerid) GROUP BY 1 ORDER BY 1`,
  },
  {
    query:
      'Customers.filter(p=>p.orders.filter(o=>o.shipViaId==via).sort(o=>[o.freight*x, o.id]).last(o=>o.employee.id)==1).map(p=>p.id)',
    data: { via: 2, x: -1 },
    sql: `SELECT customerid AS id FROM customers c WHERE 1 = (SELECT employeeid FROM orders o
      WHERE o.customerid = c.customerid AND shipvia = 2 ORDER BY freight, orderid DESC LIMIT 1)`,
  },
  {
    query:
      'Orders.filter(o=>o.id<9).map(o=>({id: o.id, x: o.customer.orders.sort(p=>p.id).last(p=>p.details.count())})).sort(o=>o.id)',
    sql: `SELECT orderid AS id, (SELECT count(*) FROM "Order Details" d WHERE d.orderid =
      (SELECT max(q.orderid) FROM orders q WHERE q.customerid = o.customerid)) AS x
      FROM orders o WHERE orderid < 9 ORDER BY 1`,
  },
  {
    query:
      'Categories.map(c=>({first: c.products.sort(p=>p.name).first(p=>p.name), n: count()})).sort(c=>c.first)',
    sql: 'SELECT min(productname) AS first, 1 AS n FROM products WHERE categoryid > 0 GROUP BY categoryid ORDER BY 1',
  },
  {
    query:
      'Customers.map(p=>({x: p.orders.sort(o=>o.freight).first(o=>p.name)})).sort(p=>p.id).take(3)',
    sql: 'SELECT companyname AS x FROM customers ORDER BY customerid LIMIT 3',
  },
  {
    query:
      'Customers.filter(p=>!p.orders.first(o=>null) == null).map(p=>({x: p.orders.first(o=>null)%3, y: p.orders.max(o=>null)+1, z: p.orders.last(o=>null ?? null) ?? 5})).sort(p=>p.id).take(1)',
    sql: 'SELECT NULL::int AS x, NULL::int AS y, 5 AS z',
  },
];

const counted: readonly ReadCase[] = [
  {
    query:
      'Products.map(p=>({id: p.id, n: p.orderDetails.count(d=>d.quantity>10), m: p.orderDetails.count(d=>d.discount)})).sort(p=>p.id)',
    sql: `SELECT p.productid AS id, count(*) FILTER (WHERE quantity > 10) AS n, count(quantity) AS m
      FROM products p LEFT JOIN "Order Details" d ON d.productid = p.productid GROUP BY 1 ORDER BY 1`,
  },
  {
    query:
      'Customers.map(p=>({id: p.id, n: p.orders.count(o=>o.shippedDate>o.requiredDate)})).sort(p=>p.id)',
    sql: `SELECT customerid AS id, count(*) FILTER (WHERE shippeddate > requireddate) AS n
      FROM customers LEFT JOIN orders USING (customerid) GROUP BY 1 ORDER BY 1`,
  },
  {
    query: 'Categories.map(c=>({id: c.id, n: c.products.count(p=>c.id>4)})).sort(c=>c.id)',
    sql: `SELECT categoryid AS id, CASE WHEN categoryid > 4 THEN count(*) ELSE 0 END AS n
      FROM products WHERE categoryid > 0 GROUP BY 1 ORDER BY 1`,
  },
  {
    query:
      'Categories.map(c=>({id: c.id, n: c.products.count(p=>distinct(p.discontinued))})).sort(c=>c.id)',
    sql: `SELECT categoryid AS id, count(DISTINCT discontinued) AS n
      FROM products WHERE categoryid > 0 GROUP BY 1 ORDER BY 1`,
  },
  {
    query:
      'Categories.filter(c=>c.products.filter(p=>p.price>20).sort(p=>p.id).count()>5).map(c=>c.id)',
    sql: 'SELECT categoryid AS id FROM products WHERE unitprice > 20 AND categoryid > 0 GROUP BY 1 HAVING count(*) > 5',
  },
];

export const related: readonly ReadCase[] = [...ofTheRowOutside, ...ofOneRow, ...counted];
