/**
 * The columns of the answer: map with its forms and names, distinct, aliases, whole rows and relations.
 */
import type { ReadCase } from '../read-case.js';

const product = `productid AS id, productname AS name, supplierid AS "supplierId",
  categoryid AS "categoryId", quantityperunit AS quantity, unitprice AS price,
  unitsinstock AS "inStock", unitsonorder AS "onOrder", reorderlevel AS "reorderLevel", discontinued`;
const category =
  '(SELECT to_json(t) FROM (SELECT categoryid AS id, categoryname AS name, description';

export const maps: readonly ReadCase[] = [
  { query: 'Products', sql: `SELECT ${product} FROM products` },
  { query: 'Products.map(p=>p)', sql: `SELECT ${product} FROM products` },
  { query: 'Products.distinct()', sql: `SELECT ${product} FROM products` },
  { query: 'Products.map()', sql: `SELECT ${product} FROM products` },
  { query: 'Shippers', sql: 'SELECT shipperid AS id, companyname AS name, phone FROM shippers' },
  {
    query: 'Categories',
    sql: 'SELECT categoryid AS id, categoryname AS name, description FROM categories',
  },
  {
    query: 'Suppliers.filter(p=>p.id<9)',
    sql: `SELECT supplierid AS id, companyname AS name, contactname AS contact, phone, homepage,
      address, city, region, postalcode AS "postalCode", country FROM suppliers WHERE supplierid < 9`,
  },
  {
    query: 'Customers',
    sql: `SELECT customerid AS id, companyname AS name, contactname AS contact, phone, address, city,
      region, postalcode AS "postalCode", country FROM customers`,
  },
  {
    query: 'Employees',
    sql: `SELECT employeeid AS id, lastname AS "lastName", firstname AS "firstName", title,
      titleofcourtesy AS "titleOfCourtesy", birthdate AS "birthDate", hiredate AS "hireDate",
      homephone AS phone, reportsto AS "reportsToId", address, city, region,
      postalcode AS "postalCode", country FROM employees`,
  },
  {
    query: 'Orders',
    sql: `SELECT orderid AS id, customerid AS "customerId", employeeid AS "employeeId",
      orderdate AS "orderDate", requireddate AS "requiredDate", shippeddate AS "shippedDate",
      shipvia AS "shipViaId", freight, shipname AS name, shipaddress AS address, shipcity AS city,
      shipregion AS region, shippostalcode AS "postalCode", shipcountry AS country FROM orders`,
  },
  {
    query: 'Orders.details',
    sql: `SELECT orderid AS "orderId", productid AS "productId", unitprice AS "unitPrice", quantity,
      discount FROM "Order Details"`,
  },
  { query: 'Products.map(p=>p.name)', sql: 'SELECT productname AS name FROM products' },
  { query: 'Products.select(p=>p.name)', sql: 'SELECT productname AS name FROM products' },
  {
    query: 'Products.map(p=>[p.id, p.name, p.price])',
    sql: 'SELECT productid AS id, productname AS name, unitprice AS price FROM products',
  },
  {
    query: 'Products.map(p=>({price: p.price, key: p.id}))',
    sql: 'SELECT unitprice AS price, productid AS key FROM products',
  },
  {
    query: 'Products.map(p=>[p.id, p.supplier.name])',
    sql: `SELECT productid AS id, companyname AS supplier_name
      FROM products JOIN suppliers USING (supplierid)`,
  },
  {
    query: 'Products.map(p=>p.supplier.name)',
    sql: 'SELECT companyname AS name FROM products JOIN suppliers USING (supplierid)',
  },
  {
    query: 'Orders.details.map(d=>[d.orderId, d.product.supplier.city])',
    sql: `SELECT orderid AS "orderId", s.city AS product_supplier_city
      FROM "Order Details" JOIN products USING (productid) JOIN suppliers s USING (supplierid)`,
  },
  {
    query: 'Products.map(p=>upper(p.name))',
    sql: 'SELECT upper(productname) AS upper FROM products',
  },
  {
    query: 'Products.map(p=>[p.id, p.name.length()])',
    sql: 'SELECT productid AS id, length(productname) AS length FROM products',
  },
  {
    query: 'Products.map(p=>({"a b": p.id, "ç\\"": p.price}))',
    sql: 'SELECT productid AS "a b", unitprice AS "ç""" FROM products',
  },
  {
    query: 'Products.map(p=>({select: p.id, from: p.name, "1st": p.price}))',
    sql: 'SELECT productid AS "select", productname AS "from", unitprice AS "1st" FROM products',
  },
  {
    query: 'Products.map(p=>({one: 1, yes: true, text: "a", none: null, id: p.id}))',
    sql: `SELECT 1 AS one, true AS yes, 'a' AS text, NULL AS none, productid AS id FROM products`,
  },
  { query: 'Shippers.map(p=>({n: 1}))', sql: 'SELECT 1 AS n FROM shippers' },
  { query: 'Shippers.map(()=>({n: 1}))', sql: 'SELECT 1 AS n FROM shippers' },
  {
    query: 'Shippers.map(p=>x)',
    data: { x: 5 },
    rows: '[{"x":5},{"x":5},{"x":5},{"x":5}]',
  },
  {
    query: 'Shippers.map(p=>({x: x+1}))',
    data: { x: 5 },
    rows: '[{"x":6},{"x":6},{"x":6},{"x":6}]',
  },
  {
    query: 'Products.map(p=>({same: p.id, again: p.id}))',
    sql: 'SELECT productid AS same, productid AS again FROM products',
  },
  {
    query: 'Products.map(p=>({name: upper(p.name), upper: p.name}))',
    sql: 'SELECT upper(productname) AS name, productname AS upper FROM products',
  },
  {
    query: 'Products.filter(p=>p.id<20).map(p=>({id: p.id, category: p.category}))',
    sql: `SELECT productid AS id, ${category} FROM categories c
      WHERE c.categoryid = p.categoryid) t) AS category FROM products p WHERE productid < 20`,
  },
  {
    query: 'Products.filter(p=>p.id<20).map(p=>[p.id, p.category])',
    sql: `SELECT productid AS id, ${category} FROM categories c
      WHERE c.categoryid = p.categoryid) t) AS category FROM products p WHERE productid < 20`,
  },
  {
    query: 'Categories.map(p=>({kind: p.name, goods: p.products.map(q=>q.id)}))',
    sql: `SELECT categoryname AS kind, (SELECT coalesce(json_agg(t ORDER BY t.id), '[]')
      FROM (SELECT productid AS id FROM products p WHERE p.categoryid = c.categoryid) t) AS goods
      FROM categories c`,
  },
  {
    query:
      'Categories.map(p=>({kind: p.name, dear: p.products.filter(q=>q.price>60).map(q=>q.id)}))',
    sql: `SELECT categoryname AS kind, (SELECT coalesce(json_agg(t ORDER BY t.id), '[]')
      FROM (SELECT productid AS id FROM products p
        WHERE p.categoryid = c.categoryid AND unitprice > 60) t) AS dear FROM categories c`,
  },
  {
    // There is only one.
    query: 'Orders.details.filter(d=>d.orderId==3).distinct(d=>d.order.customerId).page(2, 2)',
    sql: `SELECT DISTINCT o.customerid AS "customerId" FROM "Order Details" d JOIN orders o ON o.orderid = d.orderid
      WHERE d.orderid = 3 LIMIT 2 OFFSET 2`,
  },
  {
    query: 'Products.distinct(p=>p.categoryId)',
    sql: 'SELECT DISTINCT categoryid AS "categoryId" FROM products',
  },
  {
    query: 'Customers.distinct(p=>p.country).sort(p=>p.country)',
    sql: 'SELECT DISTINCT country FROM customers ORDER BY 1',
  },
  {
    query: 'Customers.distinct(p=>[p.country, p.region]).sort(p=>[desc(p.country), p.region])',
    sql: 'SELECT DISTINCT country, region FROM customers ORDER BY 1 DESC, 2 ASC NULLS LAST',
  },
  {
    query: 'Orders.distinct(p=>({c: p.customer.country})).sort(p=>p.c)',
    sql: `SELECT DISTINCT c.country AS c FROM orders o JOIN customers c USING (customerid) ORDER BY 1`,
  },
  {
    query: 'Orders.filter(p=>p.id<50).distinct(p=>p.shipViaId).count()',
    sql: 'SELECT count(*) FROM (SELECT DISTINCT shipvia FROM orders WHERE orderid < 50) t',
  },
  {
    query: 'Products.distinct(p=>({big: p.price>50})).sort(p=>p.big)',
    sql: 'SELECT DISTINCT unitprice > 50 AS big FROM products ORDER BY 1',
  },
  {
    query: 'Customers.distinct(p=>p.country).sort(p=>p.country).page(2,3)',
    sql: 'SELECT DISTINCT country FROM customers ORDER BY 1 LIMIT 3 OFFSET 3',
  },
  {
    query: 'Customers.distinct(p=>[p.country, p.region]).page(2,3)',
    sql: 'SELECT DISTINCT country, region FROM customers ORDER BY 1, 2 LIMIT 3 OFFSET 3',
  },
  {
    query: 'Customers.distinct(p=>[p.country, p.region]).last()',
    sql: 'SELECT DISTINCT country, region FROM customers ORDER BY 1 DESC, 2 DESC LIMIT 1',
  },
  {
    query: 'Products.distinct(p=>[p.name, p.id]).last()',
    sql: 'SELECT DISTINCT productname AS name, productid AS id FROM products ORDER BY 2 DESC LIMIT 1',
  },
  { query: 'Products.count()', sql: 'SELECT count(*) FROM products' },
  { query: 'Orders.details.count()', sql: 'SELECT count(*) FROM "Order Details"' },
  { query: 'Products.filter(p=>p.id<0).count()', sql: 'SELECT 0 AS count' },
  {
    query: 'Products.count().filter(p=>p.price>x)',
    data: { x: 50 },
    sql: 'SELECT count(*) FROM products WHERE unitprice > 50',
  },
  { query: 'Products.take(3).count()', sql: 'SELECT 3 AS count' },
  { query: 'Products.page(9,10).count()', sql: 'SELECT 0 AS count' },
  { query: 'Products.page(8,11).count()', sql: 'SELECT 3 AS count' },
  { query: 'Products.map(p=>p.category.name).count()', sql: 'SELECT 80 AS count' },
  {
    query: 'Orders.count().filter(p=>p.customer.country=="Japan")',
    sql: `SELECT count(*) FROM orders JOIN customers c USING (customerid) WHERE c.country = 'Japan'`,
  },
];
