import { describe, expect, test } from 'vitest';
import { parseExpression } from '../../../src/engine/language/parse-expression.js';
import { parseQuery } from '../../../src/engine/language/parse-query.js';
import { printExpression } from './print.js';
import { nestingCeiling } from '../../../src/engine/language/token-cursor.js';
import { treeDepthMax } from '../../../src/engine/language/tree-depth.js';
import { limits } from './limits-for-tests.js';
import { thrownBy } from './thrown-by.js';

const boundless = { expressionLengthMax: 100_000_000, nestingMax: Number.MAX_SAFE_INTEGER };

describe('length', () => {
  test('an expression of the maximum length is parsed', () => {
    expect(parseQuery('Orders', { ...limits, expressionLengthMax: 6 }).entity).toBe('Orders');
  });

  test('a longer one is refused without being read', () => {
    const short = { ...limits, expressionLengthMax: 6 };
    expect(thrownBy(() => parseQuery('#######', short))).toMatchObject({
      code: 'query-too-long',
      message: 'The expression has 7 characters; at most 6 are allowed.',
    });
  });
});

/** Every way to nest: the text repeated before the core, and the text repeated after it. */
const nests = [
  { way: 'parentheses', before: '(', after: ')' },
  { way: 'lists', before: '[', after: ']' },
  { way: 'objects', before: '{a:', after: '}' },
  { way: 'objects in parentheses', before: '({a:', after: '})' },
  { way: 'calls', before: 'f(', after: ')' },
  { way: 'method calls', before: 'a.f(', after: ')' },
  { way: 'lambdas', before: 'p=>', after: '' },
  { way: 'lambdas with parentheses', before: '(p)=>', after: '' },
  { way: 'lambdas in parentheses', before: '((p)=>', after: ')' },
  { way: 'negations', before: '!', after: '' },
  { way: 'minus signs', before: '- ', after: '' },
  { way: 'powers', before: 'a**', after: '' },
  { way: 'alternates', before: 'a?b:', after: '' },
  { way: 'consequents', before: 'a?', after: ':b' },
  { way: 'operators of every precedence', before: 'a||b&&c|d^e&f==g<h<<i+j*(', after: ')' },
];

describe('nesting', () => {
  test.each(nests)('40 $way are parsed', ({ before, after }) => {
    const text = `${before.repeat(20)}x${after.repeat(20)}`;
    expect(thrownBy(() => parseExpression(text, limits))).toBeUndefined();
  });

  test.each(nests)(
    '100,000 $way are refused without overflowing the stack',
    ({ before, after }) => {
      const text = before.repeat(100_000) + 'x' + after.repeat(100_000);
      expect(thrownBy(() => parseExpression(text, boundless))).toMatchObject({
        code: 'query-too-deep',
        message: `The expression nests deeper than ${nestingCeiling} levels.`,
      });
    },
  );

  test.each(nests)('100,000 $way that are not closed are refused, too', ({ before }) => {
    expect(thrownBy(() => parseExpression(before.repeat(100_000), boundless))?.code).toBe(
      'query-too-deep',
    );
  });

  test('40 parentheses in a clause of a query are parsed', () => {
    const text = `Products.filter(p=>${'('.repeat(40)}p.id==1${')'.repeat(40)}).map(p=>p.id)`;
    expect(parseQuery(text, limits).clauses).toHaveLength(2);
  });

  test('the limit is exact, and its error has a position', () => {
    const three = { ...limits, nestingMax: 3 };
    expect(thrownBy(() => parseExpression('((a))', three))).toBeUndefined();
    expect(thrownBy(() => parseExpression('(((a)))', three))).toMatchObject({
      code: 'query-too-deep',
      message: 'The expression nests deeper than 3 levels.',
      position: { ln: 1, col: 4 },
    });
  });

  test('adjacent expressions do not count as nested', () => {
    const text = `[${'f((a)),'.repeat(5000)}]`;
    expect(thrownBy(() => parseExpression(text, limits))).toBeUndefined();
  });
});

const chains = [
  { way: 'alternatives', first: 'a', next: '||a' },
  { way: 'sums', first: 'a', next: '+a' },
  { way: 'mixed levels', first: 'a', next: '*b+c' },
  { way: 'members', first: 'a', next: '.a' },
  { way: 'method calls', first: 'a', next: '.a()' },
];

describe('chains', () => {
  test.each(chains)('400 $way are parsed and printed', ({ first, next }) => {
    const expression = parseExpression(first + next.repeat(400), limits);
    expect(printExpression(expression).replaceAll(' ', '')).toBe(first + next.repeat(400));
  });

  test.each(chains)('10,000 $way are refused', ({ first, next }) => {
    expect(thrownBy(() => parseExpression(first + next.repeat(10_000), boundless))).toMatchObject({
      code: 'query-too-deep',
      message: `The expression is more than ${treeDepthMax} operations deep.`,
    });
  });

  test('a chain of the maximum depth is parsed and printed, a deeper one is not', () => {
    const longest = `a${'||a'.repeat(treeDepthMax - 1)}`;
    expect(printExpression(parseExpression(longest, limits)).replaceAll(' ', '')).toBe(longest);
    expect(thrownBy(() => parseExpression(`${longest}||a`, limits))?.code).toBe('query-too-deep');
  });

  test('chains inside one another count together', () => {
    const chain = `${'('.repeat(10)}a${`${'+a'.repeat(200)})`.repeat(10)}`;
    expect(thrownBy(() => parseExpression(chain, limits))?.code).toBe('query-too-deep');
  });

  test('they are limited in the clauses of a query, too', () => {
    const text = `Orders.filter(p=>a${'||a'.repeat(2000)})`;
    expect(thrownBy(() => parseQuery(text, limits))?.code).toBe('query-too-deep');
  });

  test('long lists and many clauses do not count as chains', () => {
    const list = `[${Array.from({ length: 9000 }, (_, at) => at).join(',')}]`;
    expect(thrownBy(() => parseExpression(list, limits))).toBeUndefined();
    expect(parseQuery(`Orders${'.filter(p=>1)'.repeat(4000)}`, limits).clauses).toHaveLength(4000);
  });
});

describe('time', () => {
  const texts = [
    { what: 'open parentheses before a lambda', text: '('.repeat(60) + '(p)=>a' + ')'.repeat(60) },
    { what: 'parentheses with comments', text: `[${`(/*${'c'.repeat(50)}*/a),`.repeat(1000)}]` },
    { what: 'a long comment', text: `a/*${'*'.repeat(65_000)}*/` },
    { what: 'a long text of escapes', text: `"${'\\u{41}'.repeat(9000)}"` },
    { what: 'a long name', text: 'a'.repeat(65_000) },
    { what: 'a long number', text: '1'.repeat(65_000) },
  ];
  test.each(texts)('$what is parsed in linear time', ({ text }) => {
    const start = performance.now();
    parseExpression(text, limits);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});
