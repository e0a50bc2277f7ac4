/** Paths through relations to one row, and aggregates over relations to many. */
import type { ReadCase } from '../read-case.js';
import { ordersWhere, type Pair, productsWhere } from './shapes.js';

const detailsOf = 'FROM "Order Details" d WHERE d.orderid = orders.orderid';
const categoryOf =
  '(SELECT categoryname FROM categories c WHERE c.categoryid = products.categoryid)';
const supplierOf = (column: string) =>
  `(SELECT ${column} FROM suppliers s WHERE s.supplierid = products.supplierid)`;
const customerOf = (column: string) =>
  `(SELECT ${column} FROM customers c WHERE c.customerid = orders.customerid)`;

const onProducts: readonly Pair[] = [
  ['p.supplier.country=="Japan"', `${supplierOf('country')} = 'Japan'`],
  ['p.supplier.region==null', `${supplierOf('region')} IS NULL`],
  ['p.supplier.id==p.supplierId', 'true'],
  ['p.category.name=="Dairy"', `${categoryOf} = 'Dairy'`],
  ['p.category.name!="Dairy"', `${categoryOf} <> 'Dairy'`],
  ['!(p.category.name=="Dairy")', `${categoryOf} <> 'Dairy'`],
  ['p.category.name==null', 'categoryid IS NULL'],
  ['p.category.name==x', 'categoryid IS NULL', { x: null }],
  ['p.category.id==null || p.category.id>6', 'categoryid IS NULL OR categoryid > 6'],
  ['p.category.description==null', 'categoryid IS NULL OR categoryid = 6'],
  ['p.category.name>p.supplier.name', `${categoryOf} COLLATE "C" > ${supplierOf('companyname')}`],
  ['lower(p.category.name)==c', `${categoryOf} = 'Sweets'`, { c: 'sweets' }],
  [
    'p.orderDetails.count()>35',
    '(SELECT count(*) FROM "Order Details" d WHERE d.productid = products.productid) > 35',
  ],
  [
    'exists(p.orderDetails, d=>d.quantity==120)',
    'productid IN (SELECT productid FROM "Order Details" WHERE quantity = 120)',
  ],
  [
    '!exists(p.orderDetails, d=>d.discount==0.25)',
    'productid NOT IN (SELECT productid FROM "Order Details" WHERE discount = 0.25)',
  ],
  [
    'exists(p.supplier.products, q=>q.id!=p.id && q.price<5)',
    'supplierid IN (SELECT supplierid FROM products q WHERE q.unitprice < 5 AND q.productid <> products.productid)',
  ],
];

const onOrders: readonly Pair[] = [
  ['p.customer.country=="Spain"', `${customerOf('country')} = 'Spain'`],
  ['p.customer.name==p.name', 'true'],
  ['p.customer.contact==null', `${customerOf('contactname')} IS NULL`],
  ['p.employee.reportsTo.lastName=="Okafor"', 'employeeid IN (3, 4, 9)'],
  ['p.employee.reportsTo.reportsTo.reportsTo.id==1', 'employeeid IN (5, 6, 7, 8)'],
  ['p.employee.reportsTo.id==null', 'employeeid = 1'],
  ['!(p.employee.reportsTo.id>2)', 'employeeid IN (2, 3, 4, 9)'],
  [
    'p.employee.city==p.customer.city',
    `(SELECT city FROM employees e WHERE e.employeeid = orders.employeeid) = ${customerOf('city')}`,
  ],
  ['p.details.count()==0', 'false'],
  ['p.details.count()==4', `(SELECT count(*) ${detailsOf}) = 4`],
  ['count(p.details)==1', `(SELECT count(*) ${detailsOf}) = 1`],
  ['p.details.sum(d=>d.quantity)>400', `(SELECT sum(quantity) ${detailsOf}) > 400`],
  [
    'sum(p.details, d=>d.quantity*d.unitPrice)>20000',
    `(SELECT sum(quantity * unitprice) ${detailsOf}) > 20000`,
  ],
  ['p.details.avg(d=>d.discount)==0.25', `(SELECT avg(discount) ${detailsOf}) = 0.25`],
  ['p.details.max(d=>d.unitPrice)<5', `(SELECT max(unitprice) ${detailsOf}) < 5`],
  ['p.details.min(d=>d.unitPrice)>90', `(SELECT min(unitprice) ${detailsOf}) > 90`],
  [
    'p.details.count(d=>distinct(d.discount))==4',
    `(SELECT count(DISTINCT discount) ${detailsOf}) = 4`,
  ],
  [
    'p.details.filter(d=>d.discount==0).count()==0',
    `(SELECT count(*) ${detailsOf} AND discount = 0) = 0`,
  ],
  [
    'p.details.filter(d=>d.discount==0).filter(d=>d.quantity>100).count()>1',
    `(SELECT count(*) ${detailsOf} AND discount = 0 AND quantity > 100) > 1`,
  ],
  [
    'p.details.where(d=>d.discount==0).sum(d=>d.quantity)>300',
    `(SELECT sum(quantity) ${detailsOf} AND discount = 0) > 300`,
  ],
  ['p.details.filter(d=>d.quantity>1000).sum(d=>d.quantity)==null', 'true'],
  ['p.details.filter(d=>d.quantity>1000).max(d=>d.quantity)>0', 'false'],
  ['exists(p.details)', 'true'],
  ['p.details.exists()', 'true'],
  [
    'exists(p.details, d=>d.quantity>118)',
    'orderid IN (SELECT orderid FROM "Order Details" WHERE quantity > 118)',
  ],
  [
    'p.details.exists(d=>d.productId==1)',
    'orderid IN (SELECT orderid FROM "Order Details" WHERE productid = 1)',
  ],
  [
    'exists(p.details, d=>d.product.name=="Alpine Fleur de Sel")',
    `orderid IN (SELECT orderid FROM "Order Details" JOIN products USING (productid) WHERE productname = 'Alpine Fleur de Sel')`,
  ],
  [
    'exists(p.details, d=>d.product.category.name==c)',
    `orderid IN (SELECT orderid FROM "Order Details" JOIN products USING (productid) WHERE categoryid = 4)`,
    { c: 'Dairy' },
  ],
  [
    'exists(p.details, p=>p.quantity==1)',
    'orderid IN (SELECT orderid FROM "Order Details" WHERE quantity = 1)',
  ],
  [
    'exists(p.details, d=>d.quantity>p.freight*3)',
    `EXISTS (SELECT ${detailsOf} AND d.quantity > freight * 3)`,
  ],
  [
    'exists(p.details, d=>d.quantity>x && d.discount==y)',
    `EXISTS (SELECT ${detailsOf} AND d.quantity > 110 AND d.discount = 0.1)`,
    { x: 110, y: 0.1 },
  ],
  [
    'exists(p.details, d=>exists(d.product.orderDetails, e=>e.quantity==119 && e.orderId!=p.id))',
    `EXISTS (SELECT ${detailsOf} AND EXISTS (SELECT FROM "Order Details" e WHERE e.productid = d.productid AND e.quantity = 119 AND e.orderid <> orders.orderid))`,
  ],
  [
    'p.customer.orders.count()>20',
    '(SELECT count(*) FROM orders o WHERE o.customerid = orders.customerid) > 20',
  ],
];

export const paths: readonly ReadCase[] = [
  ...onProducts.map(productsWhere),
  ...onOrders.map(ordersWhere),
  {
    query: 'Products.map(p=>({name: p.name, category: p.category.name}))',
    sql: `SELECT productname AS name, categoryname AS category
      FROM products LEFT JOIN categories USING (categoryid)`,
  },
  {
    query:
      'Products.map(p=>({id: p.id, a: p.category.name, b: p.category.description, c: p.supplier.name}))',
    sql: `SELECT productid AS id, categoryname AS a, description AS b, companyname AS c
      FROM products LEFT JOIN categories USING (categoryid) JOIN suppliers USING (supplierid)`,
  },
  {
    query:
      'Employees.map(p=>({name: p.lastName, boss: p.reportsTo.lastName, top: p.reportsTo.reportsTo.firstName}))',
    sql: `SELECT e.lastname AS name, b.lastname AS boss, t.firstname AS top FROM employees e
      LEFT JOIN employees b ON b.employeeid = e.reportsto
      LEFT JOIN employees t ON t.employeeid = b.reportsto`,
  },
  {
    query:
      'Orders.details.filter(d=>d.order.id<30 && d.product.discontinued).map(d=>({o: d.orderId, c: d.order.customer.name, s: d.product.supplier.name, k: d.product.category.name}))',
    sql: `SELECT d.orderid AS o, c.companyname AS c, s.companyname AS s, k.categoryname AS k
      FROM "Order Details" d JOIN orders o USING (orderid) JOIN customers c USING (customerid)
      JOIN products p USING (productid) JOIN suppliers s USING (supplierid)
      LEFT JOIN categories k USING (categoryid) WHERE d.orderid < 30 AND p.discontinued`,
  },
  {
    query:
      'Orders.filter(p=>p.id<60).map(p=>({id: p.id, lines: p.details.count(), total: p.details.sum(d=>d.unitPrice*d.quantity*(1-d.discount)), dear: p.details.max(d=>d.product.price)}))',
    sql: `SELECT orderid AS id, (SELECT count(*) ${detailsOf}) AS lines,
      (SELECT sum(unitprice * quantity * (1 - discount)) ${detailsOf}) AS total,
      (SELECT max(p.unitprice) FROM "Order Details" d JOIN products p USING (productid)
        WHERE d.orderid = orders.orderid) AS dear FROM orders WHERE orderid < 60`,
  },
  {
    query:
      'Customers.map(p=>({id: p.id, any: exists(p.orders), first: p.orders.min(o=>o.orderDate), late: p.orders.filter(o=>o.shippedDate>o.requiredDate).count()}))',
    sql: `SELECT customerid AS id, exists(SELECT FROM orders o WHERE o.customerid = c.customerid) AS any,
      (SELECT min(orderdate) FROM orders o WHERE o.customerid = c.customerid) AS first,
      (SELECT count(*) FROM orders o WHERE o.customerid = c.customerid AND shippeddate > requireddate) AS late
      FROM customers c`,
  },
  {
    query:
      'Customers.filter(p=>!exists(p.orders)).map(p=>({id: p.id, f: p.orders.sum(o=>o.freight), a: p.orders.avg(o=>o.freight), m: p.orders.max(o=>o.name), n: p.orders.count()}))',
    sql: `SELECT customerid AS id, NULL AS f, NULL AS a, NULL AS m, 0 AS n FROM customers c
      WHERE NOT exists(SELECT FROM orders o WHERE o.customerid = c.customerid)`,
  },
  {
    query:
      'Categories.map(p=>({id: p.id, n: p.products.count(), m: p.products.max(q=>q.price), s: p.products.sum(q=>q.supplier.id)}))',
    sql: `SELECT c.categoryid AS id, count(productid) AS n, max(unitprice) AS m, sum(supplierid) AS s
      FROM categories c LEFT JOIN products p USING (categoryid) GROUP BY 1`,
  },
  {
    query:
      'Notes.map(n=>({id: n.id, author: n.author, last: n.writer.lastName, label: n.reading.label}))',
    sql: `SELECT n.id, author, lastname AS last, label FROM notes n
      LEFT JOIN employees ON employeeid = authorid LEFT JOIN readings r ON r.id = readingid`,
  },
  {
    query:
      'Readings.map(r=>({id: r.id, n: r.notes.count(), who: r.notes.max(x=>x.writer.lastName)}))',
    sql: `SELECT r.id, count(n.id) AS n, max(lastname) AS who FROM readings r
      LEFT JOIN notes n ON n.readingid = r.id LEFT JOIN employees ON employeeid = authorid GROUP BY 1`,
  },
];
