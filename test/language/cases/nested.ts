/**
 * Functions nested twenty deep: neither the SQL nor the work of the database doubles with each level.
 */
import type { ReadCase } from '../read-case.js';

const DEPTH = 20;

type Wrap = (inner: string) => string;

const texts: readonly (readonly [wrap: Wrap, sql: string])[] = [
  [(e) => `capitalize(${e})`, 'upper(left(productname, 1)) || lower(substr(productname, 2))'],
  [(e) => `mask(${e})`, "left(productname, 3) || '***' || right(productname, 3)"],
  [(e) => `lpad(${e}, 30, "-")`, "lpad(productname, 30, '-')"],
  [(e) => `rpad(${e}, 30, "-")`, "rpad(productname, 30, '-')"],
  [(e) => `substring(${e}, p.id, 5)`, 'left(productname, 5)'],
  [(e) => `replace(${e}, "a", "b")`, "replace(productname, 'a', 'b')"],
  [(e) => `title(${e})`, 'productname'],
  [(e) => `trim(${e})`, 'productname'],
  [(e) => `nvl(${e}, "x")`, 'productname'],
  [(e) => `(${e} ?? "x")`, 'productname'],
  [(e) => `concat(${e}, "a")`, `productname || repeat('a', ${DEPTH})`],
  [(e) => `(p.id > 0 ? ${e} : "x")`, 'productname'],
  [(e) => `chr(64 + length(${e}))`, "'A'"],
  [(e) => `toString(strCount(${e}, "~"))`, "'0'"],
  [(e) => `toString(indexOf(${e}, "~"))`, "'-1'"],
  [(e) => `toString(toNumber(${e}))`, 'NULL'],
];

/** For the product 1, whose value is the number 1. */
const numbers: readonly (readonly [wrap: Wrap, json: string])[] = [
  [(e) => `(${e}**2)`, '1'],
  [(e) => `(${e}**p.id)`, '1'],
  [(e) => `power(${e}, 0.5)`, '1'],
  [(e) => `power(p.id, ${e})`, '1'],
  [(e) => `(${e}//2)`, '1'],
  [(e) => `(p.id//${e})`, '1'],
  [(e) => `sqrt(${e})`, '1'],
  [(e) => `remainder(${e}, 7)`, '1'],
  [(e) => `round(${e}, 2)`, '1'],
  [(e) => `ceil(${e})`, '1'],
  [(e) => `exp(${e}-1)`, '1'],
  [(e) => `cosh(${e}-1)`, '1'],
  [(e) => `(1+sinh(${e}-1))`, '1'],
  [(e) => `(1+acos(${e}))`, '1'],
  [(e) => `(1+ln(${e}))`, '1'],
  [(e) => `(1+log(2, ${e}))`, '1'],
  [(e) => `(1/${e})`, '1'],
  [(e) => `(1+7%${e})`, '1'],
  [(e) => `((1<<${e})>>1)`, '1'],
  [(e) => `toNumber(toString(${e}))`, '1'],
  [(e) => `length(lpad("a", ${e}, "b"))`, '1'],
];

/** For the order 1, with its date. */
const dates: readonly (readonly [wrap: Wrap, sql: string])[] = [
  [(e) => `addYear(${e}, 1)`, `orderdate + interval '${DEPTH} years'`],
  [(e) => `addMonth(${e}, p.id)`, `orderdate + interval '${DEPTH} months'`],
  [(e) => `addMillisecond(${e}, 1)`, `orderdate + interval '${DEPTH} milliseconds'`],
  [(e) => `addTime(${e}, "00:00:01")`, `orderdate + interval '${DEPTH} seconds'`],
  [(e) => `dayToDate(dayDiff(${e}, "1970-01-01"))`, "date_trunc('day', orderdate)"],
];

function nested(wrap: Wrap, inner: string): string {
  return Array.from({ length: DEPTH }).reduce<string>(wrap, inner);
}

export const nestedCalls: readonly ReadCase[] = [
  ...texts.map(([wrap, sql]) => ({
    query: `Products.filter(p=>p.id==1).map(p=>({r: ${nested(wrap, 'p.name')}}))`,
    sql: `SELECT ${sql} AS r FROM products WHERE productid = 1`,
  })),
  ...numbers.map(([wrap, json]) => ({
    query: `Products.filter(p=>p.id==1).map(p=>({r: ${nested(wrap, 'p.id')}}))`,
    rows: `[{"r":${json}}]`,
  })),
  ...dates.map(([wrap, sql]) => ({
    query: `Orders.filter(p=>p.id==1).map(p=>({r: ${nested(wrap, 'p.orderDate')}}))`,
    sql: `SELECT ${sql} AS r FROM orders WHERE orderid = 1`,
  })),
  // The aggregates of a group cannot be moved into a sub-select, so the SQL doubles while it is
  // short.
  {
    query: 'Products.map(p=>({r: sqrt(sqrt(sqrt(max(p.id)+176)))}))',
    rows: '[{"r":2}]',
  },
  {
    query: `Products.map(p=>({r: ${nested((e) => `sinh(${e})`, 'max(p.id)')}}))`,
    refused: 'too-complex',
  },
];
