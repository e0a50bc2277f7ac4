import { describe, expect, test } from 'vitest';
import { parseExpression } from '../../../src/engine/language/parse-expression.js';
import { parseQuery } from '../../../src/engine/language/parse-query.js';
import { limits } from './limits-for-tests.js';
import { thrownBy } from './thrown-by.js';

const queries = [
  { text: '', at: '1:1', message: 'Expected the name of an entity but found the end of the text.' },
  {
    text: ' \n ',
    at: '2:2',
    message: 'Expected the name of an entity but found the end of the text.',
  },
  { text: '7', at: '1:1', message: 'Expected the name of an entity but found the number 7.' },
  { text: '"a"', at: '1:1', message: 'Expected the name of an entity but found a string.' },
  { text: 'null.first()', at: '1:1', message: "Expected the name of an entity but found 'null'." },
  {
    text: 'filter(p=>1)',
    at: '1:7',
    message: "Expected '.', ';' or the end of the text but found '('.",
  },
  { text: 'Orders.', at: '1:8', message: 'Expected a name but found the end of the text.' },
  { text: 'Orders.(p=>1)', at: '1:8', message: "Expected a name but found '('." },
  {
    text: 'Orders.filter(p=>p.id==1',
    at: '1:25',
    message: "Expected ',' or ')' but found the end of the text.",
  },
  {
    text: 'Orders.filter(p=>p.id==1))',
    at: '1:26',
    message: "Expected '.', ';' or the end of the text but found ')'.",
  },
  {
    text: 'Orders.filter(p=>p.id==)',
    at: '1:24',
    message: "Expected an expression but found ')'.",
  },
  {
    text: 'Orders.filter(p=>p.id==1).name',
    at: '1:31',
    message: "Expected '(' but found the end of the text.",
    hint: "To read one property, write '.map(p=>p.name)'.",
  },
  {
    text: 'SELECT * FROM orders',
    at: '1:8',
    message: "Expected '.', ';' or the end of the text but found '*'.",
    hint: "This is not SQL. A query begins with an entity: 'Orders.filter(p=>p.id==id)'.",
  },
  {
    text: 'Orders.sort(p=>p.name DESC)',
    at: '1:23',
    message: "Expected ',' or ')' but found 'DESC'.",
    hint: "Write 'sort(p=>desc(p.name))'.",
  },
  {
    text: 'Orders.filter(p=>p.id==1)[0]',
    at: '1:26',
    message: "Expected '.', ';' or the end of the text but found '['.",
    hint: "Write '.take(1)', or '.page(1, 20)' for the first 20 rows.",
  },
  {
    text: 'await Orders.first()',
    at: '1:7',
    message: "Expected '.', ';' or the end of the text but found 'Orders'.",
    hint: "A query begins with an entity: 'Orders.filter(p=>p.id==id)'.",
  },
  {
    text: 'Orders.filter(p=>p.id==@id)',
    at: '1:24',
    message: "Unexpected character '@' (U+0040).",
    hint: "Write a parameter as its name alone: 'p.id==id'.",
  },
  {
    text: 'Orders.filter(p=>p.id==:id)',
    at: '1:24',
    message: "Expected an expression but found ':'.",
    hint: "Write a parameter as its name alone: 'p.id==id'.",
  },
  {
    text: 'Orders.filter(p=>p.customer?.name=="x")',
    at: '1:29',
    message: "Expected an expression but found '.'.",
    hint: "Write '.' instead of '?.': the properties of a missing row are null.",
  },
  {
    text: 'Orders.filter(p=>p.orderDate>new Date())',
    at: '1:34',
    message: "Expected ',' or ')' but found 'Date'.",
    hint: "Write 'now()' for the current time, and a date as '2024-05-01'.",
  },
  {
    text: 'Orders.map(function(p){return p.id})',
    at: '1:23',
    message: "Expected ',' or ')' but found '{'.",
    hint: "There are no statements: write 'p=>p.id==id', or a condition as 'a ? b : c'.",
  },
  {
    text: 'Orders.map(p=>{p.id})',
    at: '1:17',
    message: "Expected ':' but found '.'.",
    hint: "Write 'p=>p.id==id', without braces.",
  },
  {
    text: 'Orders.map(p=>({n: count(*)}))',
    at: '1:26',
    message: "Expected an expression but found '*'.",
    hint: "Write 'count()' for the number of rows.",
  },
  {
    text: 'Orders.filter(p=>/x/.test(p.name))',
    at: '1:18',
    message: "Expected an expression but found '/'.",
    hint: "There are no regular expressions: write 'like(text, pattern)'.",
  },
  {
    text: 'Orders.sort((a,b)=>a.id-b.id)',
    at: '1:15',
    message: "Expected ')' but found ','.",
    hint: "Write a list as '[a, b]', and a lambda with one parameter: 'p=>p.id'.",
  },
  {
    text: 'Orders.first() Orders',
    at: '1:16',
    message: "Expected '.', ';' or the end of the text but found 'Orders'.",
  },
  { text: 'Orders;;', at: '1:8', message: "Expected the end of the text but found ';'." },
  { text: 'Orders; drop', at: '1:9', message: "Expected the end of the text but found 'drop'." },
  {
    text: 'Orders.filter(p=>p.name=="x)',
    at: '1:26',
    message: 'Expected the closing " of this string but found the end of the text.',
  },
  {
    text: 'Orders\n .filter(p=>p.id=1)',
    at: '2:17',
    message: "Expected ',' or ')' but found '='.",
    hint: "Write '==' to compare.",
  },
  {
    text: 'Orders.include(p->p.details)',
    at: '1:18',
    message: "Expected an expression but found '>'.",
    hint: "Write a lambda as 'p=>p.id'.",
  },
  { text: '(a)=>Orders', at: '1:2', message: "Expected the ')' of '()=>' but found 'a'." },
  { text: '()Orders', at: '1:3', message: "Expected '=>' but found 'Orders'." },
];

const expressions = [
  {
    text: '(a,b)',
    at: '1:3',
    message: "Expected ')' but found ','.",
    hint: "Write a list as '[a, b]', and a lambda with one parameter: 'p=>p.id'.",
  },
  { text: '(a', at: '1:3', message: "Expected ')' but found the end of the text." },
  { text: 'f(a b)', at: '1:5', message: "Expected ',' or ')' but found 'b'." },
  { text: 'f(,)', at: '1:3', message: "Expected an expression but found ','." },
  { text: '[a,,b]', at: '1:4', message: "Expected an expression but found ','." },
  { text: '[a;b]', at: '1:3', message: "Expected ',' or ']' but found ';'." },
  {
    text: 'p=>{ return p.id==id }',
    at: '1:13',
    message: "Expected ':' but found 'p'.",
    hint: "Write 'p=>p.id==id', without braces.",
  },
  { text: '{a}', at: '1:3', message: "Expected ':' but found '}'.", hint: "Write 'a: a'." },
  { text: '{1: a}', at: '1:2', message: 'Expected a key but found the number 1.' },
  { text: '{a: 1, b: }', at: '1:11', message: "Expected an expression but found '}'." },
  {
    text: 'a[0]',
    at: '1:2',
    message: "Expected an operator but found '[': only properties of JSON have elements.",
  },
  {
    text: 'a.b[c]',
    at: '1:5',
    message: "Expected a name in quotes or a whole number but found 'c'.",
  },
  {
    text: 'a.b[1.5]',
    at: '1:5',
    message: 'Expected a name in quotes or a whole number but found the number 1.5.',
  },
  {
    text: 'f(1)(2)',
    at: '1:5',
    message: "Expected an operator but found '(': only names can be called.",
  },
  {
    text: '(f)(1)',
    at: '1:4',
    message: "Expected an operator but found '(': only names can be called.",
  },
  {
    text: '"f"(1)',
    at: '1:4',
    message: "Expected an operator but found '(': only names can be called.",
  },
  {
    text: 'true(1)',
    at: '1:5',
    message: "Expected an operator but found '(': only names can be called.",
  },
  { text: 'a.true', at: '1:3', message: "Expected a name but found 'true'." },
  { text: 'a..b', at: '1:3', message: "Expected a name but found '.'." },
  { text: 'a ? b', at: '1:6', message: "Expected ':' but found the end of the text." },
  {
    text: 'a + p => b',
    at: '1:7',
    message: "Expected an operator or the end of the text but found '=>'.",
  },
  { text: '(true)=>a', at: '1:2', message: "Expected a name but found 'true'." },
  { text: 'p=>', at: '1:4', message: 'Expected an expression but found the end of the text.' },
  { text: 'a;', at: '1:2', message: "Expected an operator or the end of the text but found ';'." },
  { text: '+a', at: '1:1', message: "Expected an expression but found '+'." },
  {
    text: 'a--b',
    at: '1:2',
    message: "Expected an operator or the end of the text but found '--'.",
    hint: "Put a space between two signs: 'a - -b'.",
  },
  {
    text: 'a // b // // c',
    at: '1:11',
    message: "Expected an expression but found '//'.",
    hint: "'//' is the root operator; comments are written '/* … */'.",
  },
  {
    text: `a ${'x'.repeat(60)}`,
    at: '1:3',
    message: `Expected an operator or the end of the text but found '${'x'.repeat(40)}…'.`,
  },
];

describe('an error of a query names what was found, what was expected, and where', () => {
  test.each(queries)('$text', ({ text, at, message, hint }) => {
    const error = thrownBy(() => parseQuery(text, limits));
    expect(error).toMatchObject({ code: 'query-syntax', message, hint });
    expect(`${error?.position?.ln}:${error?.position?.col}`).toBe(at);
  });
});

describe('an error of an expression names what was found, what was expected, and where', () => {
  test.each(expressions)('$text', ({ text, at, message, hint }) => {
    const error = thrownBy(() => parseExpression(text, limits));
    expect(error).toMatchObject({ code: 'query-syntax', message, hint });
    expect(`${error?.position?.ln}:${error?.position?.col}`).toBe(at);
  });
});
