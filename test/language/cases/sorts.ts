/**
 * Sorts: directions, nulls, expressions, paths, and names of the map; and the clauses that limit rows.
 */
import type { ReadCase } from '../read-case.js';

const ids = 'SELECT productid AS id FROM products ORDER BY';

export const sorts: readonly ReadCase[] = [
  { query: 'Products.map(p=>p.id).sort(p=>[in(p.id, []), desc(p.id)])', sql: `${ids} 1 DESC` },
  {
    query: 'Products.map(p=>p.id).sort(p=>[desc(null), desc(p.id)])',
    sql: `${ids} 1 DESC`,
  },
  { query: 'Products.map(p=>p.id).sort(p=>p.id)', sql: `${ids} 1` },
  { query: 'Products.map(p=>p.id).sort(p=>desc(p.id))', sql: `${ids} 1 DESC` },
  { query: 'Products.map(p=>p.id).sort(p=>p.id.desc())', sql: `${ids} 1 DESC` },
  { query: 'Products.map(p=>p.id).order(p=>asc(p.id))', sql: `${ids} 1` },
  { query: 'Products.map(p=>p.id).sort(p=>[p.price, p.id])', sql: `${ids} unitprice, 1` },
  {
    query: 'Products.map(p=>p.id).sort(p=>[desc(p.price), p.id])',
    sql: `${ids} unitprice DESC, 1`,
  },
  {
    query: 'Products.map(p=>p.id).sort(p=>[p.categoryId, p.id])',
    sql: `${ids} categoryid NULLS LAST, 1`,
  },
  {
    query: 'Products.map(p=>p.id).sort(p=>[desc(p.categoryId), p.id])',
    sql: `${ids} categoryid DESC NULLS FIRST, 1`,
  },
  {
    query: 'Products.map(p=>p.id).sort(p=>[asc(p.quantity), desc(p.id)])',
    sql: `${ids} quantityperunit COLLATE "C" NULLS LAST, 1 DESC`,
  },
  {
    query: 'Products.map(p=>p.id).sort(p=>p.name)',
    sql: `${ids} productname COLLATE "C"`,
  },
  { query: 'Products.map(p=>p.id).sort(p=>[p.id%7, p.id])', sql: `${ids} productid % 7, 1` },
  {
    query: 'Products.map(p=>p.id).sort(p=>[desc(p.price*p.inStock), p.id])',
    sql: `${ids} unitprice * unitsinstock DESC, 1`,
  },
  { query: 'Products.map(p=>p.id).sort(p=>[p.discontinued, p.id])', sql: `${ids} discontinued, 1` },
  {
    query: 'Products.map(p=>p.id).sort(p=>[desc(p.discontinued), p.id])',
    sql: `${ids} discontinued DESC, 1`,
  },
  { query: 'Products.map(p=>p.id).sort(p=>[p.price>50, p.id])', sql: `${ids} unitprice > 50, 1` },
  {
    query: 'Products.map(p=>p.id).sort(p=>[p.categoryId==1 && p.id!=1, p.id])',
    sql: `${ids} categoryid = 1 AND productid <> 1 NULLS LAST, 1`,
  },
  {
    query: 'Products.map(p=>p.id).sort(p=>[desc(p.categoryId==1 || p.id==1), p.id])',
    sql: `${ids} categoryid = 1 OR productid = 1 DESC NULLS FIRST, 1`,
  },
  {
    query: 'Products.map(p=>p.id).sort(p=>[!(p.categoryId==1), p.id])',
    sql: `${ids} NOT categoryid = 1 NULLS LAST, 1`,
  },
  { query: 'Products.map(p=>p.id).sort(p=>[1, desc(p.id)])', sql: `${ids} 1 DESC` },
  { query: 'Products.map(p=>p.id).sort(p=>[p.id*x])', data: { x: -1 }, sql: `${ids} 1 DESC` },
  {
    query: 'Products.map(p=>p.id).sort(p=>[p.supplier.name, p.id])',
    sql: `SELECT productid AS id FROM products JOIN suppliers s USING (supplierid)
      ORDER BY s.companyname COLLATE "C", 1`,
  },
  {
    query: 'Products.map(p=>p.id).sort(p=>[p.category.name, p.id])',
    sql: `SELECT productid AS id FROM products LEFT JOIN categories c USING (categoryid)
      ORDER BY c.categoryname COLLATE "C" NULLS LAST, 1`,
  },
  {
    query: 'Products.map(p=>p.id).sort(p=>[desc(p.category.name), desc(p.id)])',
    sql: `SELECT productid AS id FROM products LEFT JOIN categories c USING (categoryid)
      ORDER BY c.categoryname COLLATE "C" DESC NULLS FIRST, 1 DESC`,
  },
  {
    query: 'Products.map(p=>({total: p.price*p.inStock, id: p.id})).sort(p=>[desc(p.total), p.id])',
    sql: 'SELECT unitprice * unitsinstock AS total, productid AS id FROM products ORDER BY 1 DESC, 2',
  },
  {
    query: 'Products.map(p=>({key: p.id, id: p.price})).sort(p=>[p.id, p.key])',
    sql: 'SELECT productid AS key, unitprice AS id FROM products ORDER BY unitprice, productid',
  },
  {
    query: 'Products.map(p=>({n: p.category.name, id: p.id})).sort(p=>[p.n, p.id])',
    sql: `SELECT c.categoryname AS n, productid AS id FROM products LEFT JOIN categories c
      USING (categoryid) ORDER BY 1 NULLS LAST, 2`,
  },
  {
    query: 'Products.sort(p=>p.total+p.id).map(p=>({total: p.price*2, id: p.id}))',
    sql: 'SELECT unitprice * 2 AS total, productid AS id FROM products ORDER BY unitprice * 2 + productid',
  },
  {
    query: 'Customers.map(p=>p.id).sort(p=>[p.orders.count(), p.id])',
    sql: `SELECT customerid AS id FROM customers c
      ORDER BY (SELECT count(*) FROM orders o WHERE o.customerid = c.customerid), 1`,
  },
  {
    query: 'Orders.map(p=>p.id).sort(p=>[desc(p.shippedDate), p.id])',
    sql: 'SELECT orderid AS id FROM orders ORDER BY shippeddate DESC NULLS FIRST, 1',
  },
  {
    query: 'Orders.map(p=>p.id).sort(p=>[p.shippedDate, p.orderDate])',
    sql: 'SELECT orderid AS id FROM orders ORDER BY shippeddate NULLS LAST, orderdate',
  },
  {
    query:
      'Orders.details.map(d=>[d.orderId, d.productId]).sort(d=>[desc(d.quantity), d.orderId, d.productId])',
    sql: `SELECT orderid AS "orderId", productid AS "productId" FROM "Order Details"
      ORDER BY quantity DESC, 1, 2`,
  },
  { query: 'Products.map(p=>p.id).page(1,5)', sql: `${ids} 1 LIMIT 5` },
  { query: 'Products.map(p=>p.id).page(3,7)', sql: `${ids} 1 LIMIT 7 OFFSET 14` },
  { query: 'Products.map(p=>p.id).page(100,10)', sql: `${ids} 1 LIMIT 0` },
  {
    query: 'Products.map(p=>p.id).page(n,size)',
    data: { n: 2, size: 3 },
    sql: `${ids} 1 LIMIT 3 OFFSET 3`,
  },
  { query: 'Products.map(p=>p.id).page(2,s)', data: { s: 79 }, sql: `${ids} 1 LIMIT 79 OFFSET 79` },
  {
    query: 'Products.map(p=>p.id).page(page.no,page.size)',
    data: { page: { no: 4, size: 2 } },
    sql: `${ids} 1 LIMIT 2 OFFSET 6`,
  },
  {
    query: 'Products.map(p=>p.id).sort(p=>desc(p.price)).page(1,3)',
    sql: `${ids} unitprice DESC LIMIT 3`,
  },
  {
    query: 'Products.page(2,4).sort(p=>desc(p.id)).map(p=>p.id)',
    sql: `${ids} 1 DESC LIMIT 4 OFFSET 4`,
  },
  {
    query: 'Products.filter(p=>p.id>10).map(p=>p.id).page(1,2)',
    sql: 'SELECT unnest(ARRAY[11,12]) AS id',
  },
  {
    query: 'Orders.details.map(d=>[d.orderId, d.productId]).page(2,5)',
    sql: `SELECT orderid AS "orderId", productid AS "productId" FROM "Order Details" ORDER BY 1, 2 LIMIT 5 OFFSET 5`,
  },
  { query: 'Products.first(p=>p.id)', sql: 'SELECT 1 AS id' },
  { query: 'Products.map(p=>p.id).first()', sql: 'SELECT 1 AS id' },
  { query: 'Products.last(p=>p.id)', sql: 'SELECT 80 AS id' },
  {
    query: 'Products.last(p=>[p.id, p.price]).sort(p=>p.price)',
    sql: 'SELECT productid AS id, unitprice AS price FROM products ORDER BY 2 DESC LIMIT 1',
  },
  {
    query: 'Products.first(p=>[p.id, p.price]).sort(p=>p.price)',
    sql: 'SELECT productid AS id, unitprice AS price FROM products ORDER BY 2 LIMIT 1',
  },
  { query: 'Products.first(p=>p.id).sort(p=>desc(p.price))', sql: `${ids} unitprice DESC LIMIT 1` },
  { query: 'Products.last(p=>p.id).sort(p=>desc(p.price))', sql: `${ids} unitprice LIMIT 1` },
  {
    query: 'Products.last(p=>p.id).sort(p=>[p.categoryId, p.id])',
    sql: `${ids} categoryid DESC NULLS FIRST, 1 DESC LIMIT 1`,
  },
  {
    query: 'Products.last(p=>p.id).sort(p=>[desc(p.categoryId), desc(p.id)])',
    sql: `${ids} categoryid NULLS LAST, 1 LIMIT 1`,
  },
  {
    query: 'Orders.details.last(d=>[d.orderId, d.productId])',
    sql: `SELECT orderid AS "orderId", productid AS "productId" FROM "Order Details" ORDER BY 1 DESC, 2 DESC LIMIT 1`,
  },
  // A key has no value for some of the rows that the filter excludes.
  {
    query:
      'Products.filter(p=>nvl(p.category.name, "")=="Sweets").sort(p=>[(4-p.categoryId)*9223372036854775807, p.id]).map(p=>p.id)',
    sql: 'SELECT productid AS id FROM products WHERE categoryid = 3 ORDER BY 1',
  },
  {
    query:
      'Categories.filter(c=>exists(c.products, p=>p.price>9 && p.name!="" && p.categoryId==3)).sort(c=>(4-c.id)*9223372036854775807).map(c=>c.id)',
    rows: '[{"id":3}]',
  },
  {
    query:
      'Suppliers.filter(s=>s.id==2).map(s=>({p: s.products.filter(p=>nvl(p.category.name, "")=="Sweets").sort(p=>(4-p.categoryId)*9223372036854775807).first(p=>p.categoryId)}))',
    rows: '[{"p":3}]',
  },
  { query: 'Products.first().filter(p=>p.id>77).map(p=>p.id)', sql: 'SELECT 78 AS id' },
  { query: 'Products.filter(p=>p.id<0).first(p=>p.id)', rows: '[]' },
  { query: 'Products.map(p=>p.id).sort(p=>p.id).take(4)', sql: `${ids} 1 LIMIT 4` },
  { query: 'Products.map(p=>p.id).sort(p=>p.id).take()', sql: 'SELECT 1 AS id' },
  {
    query: 'Products.map(p=>p.id).filter(p=>n==p.id || p.id==2).take(n)',
    data: { n: null },
    sql: 'SELECT ProductID AS "id" FROM Products WHERE ProductID = 2',
  },
  { query: 'Products.map(p=>p.id).sort(p=>p.id).take(n)', data: { n: 2 }, sql: `${ids} 1 LIMIT 2` },
  { query: 'Products.map(p=>p.id).sort(p=>p.id).take(0)', rows: '[]' },
  { query: 'Products.filter(p=>p.id==7).map(p=>p.id).take(5)', sql: 'SELECT 7 AS id' },
];
