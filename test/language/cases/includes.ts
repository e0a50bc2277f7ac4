/** Included relations: with every clause, per parent, nested, and of the same entity. */
import type { ReadCase } from '../read-case.js';

const detail =
  'orderid AS "orderId", productid AS "productId", unitprice AS "unitPrice", quantity, discount';
const shipper = 'shipperid AS id, companyname AS name, phone';
const product = `productid AS id, productname AS name, supplierid AS "supplierId",
  categoryid AS "categoryId", quantityperunit AS quantity, unitprice AS price,
  unitsinstock AS "inStock", unitsonorder AS "onOrder", reorderlevel AS "reorderLevel", discontinued`;
const customer = `customerid AS id, companyname AS name, contactname AS contact, phone, address, city,
  region, postalcode AS "postalCode", country`;
const category = 'categoryid AS id, categoryname AS name, description';
const employee = `employeeid AS id, lastname AS "lastName"`;

const many = (rows: string) => `(SELECT coalesce(json_agg(to_json(t)), '[]') FROM (${rows}) t)`;
const one = (row: string) => `(SELECT to_json(t) FROM (${row}) t)`;
const lines = (columns: string, rest = 'ORDER BY productid') =>
  many(`SELECT ${columns} FROM "Order Details" d WHERE d.orderid = o.orderid ${rest}`);

/** Numbers of rows and pages that are checked although there are no parents. */
const withoutParents: readonly ReadCase[] = [
  ...[
    { id: -1, n: 0 },
    { n: 0, id: -1 },
    { n: null, id: -1 },
  ].map((data) => ({
    query: 'Orders.filter(p=>p.id==id).map(p=>p.id).include(p=>p.details.page(n,2))',
    data,
    refused: 'parameter-type',
  })),
  {
    query:
      'Orders.filter(p=>p.id<0).map(p=>p.id).include(p=>p.customer.include(c=>c.orders.take(n)))',
    data: { n: -1 },
    refused: 'parameter-type',
  },
  {
    query: 'Orders.filter(p=>p.id==id).map(p=>p.id).include(p=>p.details.page(n,2))',
    data: { id: -1, n: 1 },
    rows: '[]',
  },
];

export const includes: readonly ReadCase[] = [
  ...withoutParents,
  {
    query: 'Orders.filter(p=>p.id<40).map(p=>p.id).include(p=>p.details)',
    sql: `SELECT orderid AS id, ${lines(detail)} AS details FROM orders o WHERE orderid < 40`,
  },
  {
    query: 'Orders.include(p=>p.details).map(p=>({key: p.id, f: p.freight}))',
    sql: `SELECT orderid AS key, freight AS f, ${lines(detail)} AS details FROM orders o`,
  },
  {
    query: 'Orders.filter(p=>p.id==7).map(p=>p.freight).include(p=>[p.details, p.customer])',
    sql: `SELECT freight, ${lines(detail)} AS details, ${one(`SELECT ${customer} FROM customers c
      WHERE c.customerid = o.customerid`)} AS customer FROM orders o WHERE orderid = 7`,
  },
  {
    query: 'Orders.filter(p=>p.id==7).include(p=>p.details).include(p=>p.customer).map(p=>p.id)',
    sql: `SELECT orderid AS id, ${lines(detail)} AS details, ${one(`SELECT ${customer} FROM customers c
      WHERE c.customerid = o.customerid`)} AS customer FROM orders o WHERE orderid = 7`,
  },
  {
    query: 'Products.include(p=>p.category).sort(p=>p.id)',
    sql: `SELECT ${product}, ${one(`SELECT ${category} FROM categories c
      WHERE c.categoryid = p.categoryid`)} AS category FROM products p ORDER BY productid`,
  },
  {
    query: 'Customers.map(p=>p.id).include(p=>p.orders.map(o=>o.id))',
    sql: `SELECT customerid AS id, ${many(`SELECT orderid AS id FROM orders o
      WHERE o.customerid = c.customerid ORDER BY 1`)} AS orders FROM customers c`,
  },
  {
    query: 'Customers.filter(p=>!exists(p.orders)).map(p=>p.id).include(p=>p.orders)',
    sql: `SELECT customerid AS id, '[]'::json AS orders FROM customers c
      WHERE NOT exists(SELECT FROM orders o WHERE o.customerid = c.customerid)`,
  },
  {
    query:
      'Orders.filter(p=>p.id==0).include(p=>[p.details.include(q=>q.product), p.customer, p.employee])',
    rows: '[]',
  },
  {
    query: 'Orders.filter(p=>p.id<30).map(p=>p.id).include(p=>p.details.filter(d=>d.quantity>60))',
    sql: `SELECT orderid AS id, ${lines(detail, 'AND quantity > 60 ORDER BY productid')} AS details
      FROM orders o WHERE orderid < 30`,
  },
  {
    query:
      'Orders.filter(p=>p.id<30).map(p=>p.id).include(p=>p.details.filter(d=>d.quantity>q || d.discount==0).where(d=>d.productId<50))',
    data: { q: 60 },
    sql: `SELECT orderid AS id, ${lines(detail, 'AND (quantity > 60 OR discount = 0) AND productid < 50 ORDER BY productid')}
      AS details FROM orders o WHERE orderid < 30`,
  },
  {
    query:
      'Orders.filter(p=>p.id<30).map(p=>p.id).include(p=>p.details.map(d=>[d.productId, d.product.name]))',
    sql: `SELECT orderid AS id, ${many(`SELECT productid AS "productId", productname AS product_name
      FROM "Order Details" d JOIN products USING (productid) WHERE d.orderid = o.orderid ORDER BY 1`)}
      AS details FROM orders o WHERE orderid < 30`,
  },
  {
    query:
      'Orders.filter(p=>p.id<30).map(p=>p.id).include(p=>p.details.map(d=>({v: d.quantity*d.unitPrice})).sort(d=>desc(d.v)))',
    sql: `SELECT orderid AS id, ${lines('quantity * unitprice AS v', 'ORDER BY 1 DESC')} AS details
      FROM orders o WHERE orderid < 30`,
  },
  {
    query:
      'Orders.filter(p=>p.id<30).map(p=>p.id).include(p=>p.details.sort(d=>[desc(d.quantity), d.productId]))',
    sql: `SELECT orderid AS id, ${lines(detail, 'ORDER BY quantity DESC, productid')} AS details
      FROM orders o WHERE orderid < 30`,
  },
  {
    query: 'Orders.filter(p=>p.id<30).map(p=>p.id).include(p=>p.details.page(1,2))',
    sql: `SELECT orderid AS id, ${lines(detail, 'ORDER BY productid LIMIT 2')} AS details
      FROM orders o WHERE orderid < 30`,
  },
  {
    query:
      'Orders.filter(p=>p.id<30).map(p=>p.id).include(p=>p.details.sort(d=>[desc(d.quantity), d.productId]).page(n,s))',
    data: { n: 2, s: 1 },
    sql: `SELECT orderid AS id, ${lines(detail, 'ORDER BY quantity DESC, productid LIMIT 1 OFFSET 1')} AS details
      FROM orders o WHERE orderid < 30`,
  },
  {
    query:
      'Categories.map(p=>p.name).include(p=>p.products.sort(q=>desc(q.price)).first(q=>q.name))',
    sql: `SELECT categoryname AS name, ${many(`SELECT productname AS name FROM products p
      WHERE p.categoryid = c.categoryid ORDER BY unitprice DESC LIMIT 1`)} AS products FROM categories c`,
  },
  {
    query: 'Categories.map(p=>p.name).include(p=>p.products.last(q=>q.id))',
    sql: `SELECT categoryname AS name, ${many(`SELECT productid AS id FROM products p
      WHERE p.categoryid = c.categoryid ORDER BY 1 DESC LIMIT 1`)} AS products FROM categories c`,
  },
  {
    query: 'Categories.map(p=>p.name).include(p=>p.products.sort(q=>q.id).take(n).map(q=>q.id))',
    data: { n: 3 },
    sql: `SELECT categoryname AS name, ${many(`SELECT productid AS id FROM products p
      WHERE p.categoryid = c.categoryid ORDER BY 1 LIMIT 3`)} AS products FROM categories c`,
  },
  {
    query:
      'Categories.map(p=>p.id).include(p=>p.products.filter(q=>q.quantity==x).sort(q=>[q.quantity, q.id]).page(1,3).map(q=>[q.id, q.quantity]))',
    data: { x: null },
    sql: `SELECT categoryid AS id, ${many(`SELECT productid AS id, quantityperunit AS quantity FROM products p
      WHERE p.categoryid = c.categoryid AND quantityperunit IS NULL ORDER BY 1 LIMIT 3`)} AS products FROM categories c`,
  },
  {
    query:
      'Categories.map(p=>p.id).include(p=>p.products.sort(q=>[desc(q.quantity), q.id]).page(1,4).map(q=>[q.id, q.quantity]))',
    sql: `SELECT categoryid AS id, ${many(`SELECT productid AS id, quantityperunit AS quantity FROM products p
      WHERE p.categoryid = c.categoryid ORDER BY 2 DESC NULLS FIRST, 1 LIMIT 4`)} AS products FROM categories c`,
  },
  {
    query: 'Employees.map(p=>p.lastName).include(p=>p.reportsTo.map(q=>[q.id, q.lastName]))',
    sql: `SELECT lastname AS "lastName", ${one(`SELECT ${employee} FROM employees b
      WHERE b.employeeid = e.reportsto`)} AS "reportsTo" FROM employees e`,
  },
  {
    query:
      'Employees.map(p=>p.id).include(p=>p.reportsTo.map(q=>q.id).include(q=>q.reportsTo.map(r=>r.lastName)))',
    sql: `SELECT employeeid AS id, ${one(`SELECT employeeid AS id, ${one(`SELECT lastname AS "lastName"
      FROM employees t WHERE t.employeeid = b.reportsto`)} AS "reportsTo"
      FROM employees b WHERE b.employeeid = e.reportsto`)} AS "reportsTo" FROM employees e`,
  },
  {
    query: 'Employees.map(p=>p.id).include(p=>p.reportsTo.filter(q=>q.id>1).map(q=>q.id))',
    sql: `SELECT employeeid AS id, ${one(`SELECT employeeid AS id FROM employees b
      WHERE b.employeeid = e.reportsto AND b.employeeid > 1`)} AS "reportsTo" FROM employees e`,
  },
  {
    query:
      'Orders.filter(p=>p.id<9).map(p=>p.id).include(p=>p.details.map(d=>d.quantity).include(d=>d.product.map(q=>q.name).include(q=>[q.category.map(c=>c.name), q.supplier.map(s=>s.city)])))',
    sql: `SELECT orderid AS id, ${many(`SELECT quantity, ${one(`SELECT productname AS name,
      ${one('SELECT categoryname AS name FROM categories c WHERE c.categoryid = p.categoryid')} AS category,
      ${one('SELECT city FROM suppliers s WHERE s.supplierid = p.supplierid')} AS supplier
      FROM products p WHERE p.productid = d.productid`)} AS product
      FROM "Order Details" d WHERE d.orderid = o.orderid ORDER BY d.productid`)} AS details
      FROM orders o WHERE orderid < 9`,
  },
  {
    query:
      'Orders.filter(p=>p.id<9).include(p=>p.customer.include(c=>c.orders.filter(o=>o.id<9).map(o=>o.id)).map(c=>c.id)).map(p=>p.id)',
    sql: `SELECT orderid AS id, ${one(`SELECT customerid AS id, ${many(`SELECT orderid AS id FROM orders i
      WHERE i.customerid = c.customerid AND orderid < 9 ORDER BY 1`)} AS orders
      FROM customers c WHERE c.customerid = o.customerid`)} AS customer FROM orders o WHERE orderid < 9`,
  },
  {
    query:
      'Products.filter(p=>p.id<4).map(p=>p.id).include(p=>p.orderDetails.map(d=>d.orderId).sort(d=>desc(d.orderId)).take(2).include(d=>d.order.map(o=>o.city)))',
    sql: `SELECT productid AS id, ${many(`SELECT orderid AS "orderId", ${one(`SELECT shipcity AS city
      FROM orders o WHERE o.orderid = d.orderid`)} AS "order" FROM "Order Details" d
      WHERE d.productid = p.productid ORDER BY 1 DESC LIMIT 2`)} AS "orderDetails"
      FROM products p WHERE productid < 4`,
  },
  {
    query: 'Products.filter(p=>p.id==11).map(p=>p.id).include(p=>p.orderDetails)',
    sql: `SELECT productid AS id, ${many(`SELECT ${detail} FROM "Order Details" d
      WHERE d.productid = p.productid ORDER BY 1`)} AS "orderDetails" FROM products p WHERE productid = 11`,
  },
  {
    query:
      'Orders.details.filter(d=>d.orderId<5).map(d=>d.quantity).include(d=>[d.order.map(o=>o.id), d.product.map(q=>q.id)])',
    sql: `SELECT quantity, json_build_object('id', orderid) AS "order",
      json_build_object('id', productid) AS product FROM "Order Details" WHERE orderid < 5`,
  },
  {
    query:
      'Orders.map(p=>p.id).sort(p=>desc(p.freight)).page(2,3).include(p=>p.details.map(d=>d.productId))',
    sql: `SELECT orderid AS id, ${lines('productid AS "productId"')} AS details FROM orders o
      ORDER BY freight DESC LIMIT 3 OFFSET 3`,
  },
  {
    query: 'Orders.first(p=>p.id).include(p=>p.details.map(d=>d.productId))',
    sql: `SELECT orderid AS id, ${lines('productid AS "productId"')} AS details FROM orders o WHERE orderid = 1`,
  },
  {
    query:
      'Orders.filter(p=>p.id<20).map(p=>p.id).include(p=>p.details.map(d=>({n: count(), q: sum(d.quantity)})))',
    sql: `SELECT orderid AS id, ${many('SELECT count(*) AS n, sum(quantity) AS q FROM "Order Details" d WHERE d.orderid = o.orderid')}
      AS details FROM orders o WHERE orderid < 20`,
  },
  {
    query:
      'Suppliers.filter(p=>p.id<9).map(p=>p.id).include(p=>p.products.map(q=>({c: q.category.name, n: count()})).sort(q=>q.c))',
    sql: `SELECT supplierid AS id, ${many(`SELECT categoryname AS c, count(*) AS n FROM products p
      LEFT JOIN categories USING (categoryid) WHERE p.supplierid = s.supplierid GROUP BY 1 ORDER BY 1`)}
      AS products FROM suppliers s WHERE supplierid < 9`,
  },
  {
    query:
      'Categories.filter(p=>p.id<3).map(p=>p.id).include(p=>p.products.filter(q=>q.orderDetails.count()>30).map(q=>({id: q.id, n: q.orderDetails.count()})))',
    sql: `SELECT categoryid AS id, ${many(`SELECT productid AS id, count(*) AS n FROM products p
      JOIN "Order Details" USING (productid) WHERE p.categoryid = c.categoryid GROUP BY 1
      HAVING count(*) > 30 ORDER BY 1`)} AS products FROM categories c WHERE categoryid < 3`,
  },
  {
    query:
      'Orders.filter(p=>p.id==3).map(p=>p.id).include(p=>p.details.filter(p=>p.quantity>0).map(p=>p.productId))',
    sql: `SELECT orderid AS id, ${lines('productid AS "productId"')} AS details FROM orders o WHERE orderid = 3`,
  },
  {
    query:
      'Orders.map(p=>p.id).include(p=>p.details.filter(d=>d.productId==id).map(d=>d.productId)).filter(p=>p.id<id)',
    data: { id: 60 },
    sql: `SELECT orderid AS id, ${lines('productid AS "productId"', 'AND productid = 60')} AS details
      FROM orders o WHERE orderid < 60`,
  },
  {
    query:
      'Orders.filter(p=>p.id<12).map(p=>({lines: p.details.map(d=>d.productId), who: p.employee.map(e=>[e.id, e.lastName])}))',
    sql: `SELECT ${lines('productid AS "productId"')} AS lines, ${one(`SELECT ${employee}
      FROM employees e WHERE e.employeeid = o.employeeid`)} AS who FROM orders o WHERE orderid < 12`,
  },
  {
    query:
      'Notes.include(n=>[n.writer.map(e=>e.lastName), n.reading.map(r=>r.whole)]).sort(n=>n.id)',
    sql: `SELECT id, author, authorid AS "authorId", readingid AS "readingId", ${one(`SELECT lastname AS "lastName"
      FROM employees WHERE employeeid = n.authorid`)} AS writer, ${one(`SELECT whole
      FROM readings r WHERE r.id = n.readingid`)} AS reading FROM notes n ORDER BY id`,
  },
  {
    query: 'Readings.map(r=>r.id).include(r=>r.notes.map(n=>n.id)).sort(r=>r.id)',
    sql: `SELECT id, ${many('SELECT id FROM notes n WHERE n.readingid = r.id ORDER BY 1')} AS notes
      FROM readings r ORDER BY 1`,
  },
  {
    query:
      'Employees.filter(p=>p.id<5).map(p=>p.id).include(p=>[p.notes.map(n=>n.id), p.orders.filter(o=>o.id<30).map(o=>o.id)])',
    sql: `SELECT employeeid AS id, ${many('SELECT id FROM notes n WHERE n.authorid = e.employeeid ORDER BY 1')} AS notes,
      ${many('SELECT orderid AS id FROM orders o WHERE o.employeeid = e.employeeid AND orderid < 30 ORDER BY 1')} AS orders
      FROM employees e WHERE employeeid < 5`,
  },
  { query: 'Shippers.sort(p=>p.id)', sql: `SELECT ${shipper} FROM shippers ORDER BY 1` },
];
