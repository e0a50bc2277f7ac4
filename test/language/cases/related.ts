/** Values of the rows of a relation to many: aggregates, and what these read of the row outside. */
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

export const related: readonly ReadCase[] = [...ofTheRowOutside];
