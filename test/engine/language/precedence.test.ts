import { runInThisContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExpression } from '../../../src/engine/language/parse-expression.js';
import { evaluate } from './evaluate.js';
import { limits } from './limits-for-tests.js';
import { thrownBy } from './thrown-by.js';
import { withoutSpans } from './without-spans.js';

function tree(text: string): unknown {
  return withoutSpans(parseExpression(text, limits));
}

const cases = [
  ['a || b && c', 'a || (b && c)'],
  ['a && b || c', '(a && b) || c'],
  ['a || b || c', '(a || b) || c'],
  ['a ?? b ?? c', '(a ?? b) ?? c'],
  ['a ?? b | c', 'a ?? (b | c)'],
  ['a && b | c', 'a && (b | c)'],
  ['a | b ^ c & d', 'a | (b ^ (c & d))'],
  ['a & b == c', 'a & (b == c)'],
  ['a == b < c', 'a == (b < c)'],
  ['a != b == c', '(a != b) == c'],
  ['a < b <= c > d >= e', '(((a < b) <= c) > d) >= e'],
  ['a < b << c', 'a < (b << c)'],
  ['a << b >> c', '(a << b) >> c'],
  ['a << b + c', 'a << (b + c)'],
  ['a - b + c', '(a - b) + c'],
  ['a + b * c', 'a + (b * c)'],
  ['a * b + c', '(a * b) + c'],
  ['a / b * c % d // e', '(((a / b) * c) % d) // e'],
  ['a // b + c', '(a // b) + c'],
  ['a * b ** c', 'a * (b ** c)'],
  ['a ** b ** c', 'a ** (b ** c)'],
  ['a ** -b', 'a ** (-b)'],
  ['a ** -b * c', '(a ** (-b)) * c'],
  ['-a * b', '(-a) * b'],
  ['- -a', '-(-a)'],
  ['!a && b', '(!a) && b'],
  ['!a == b', '(!a) == b'],
  ['!a.b', '!(a.b)'],
  ['-a.b()', '-(a.b())'],
  ['~a & b', '(~a) & b'],
  ['!-~a', '!(-(~a))'],
  ['a || b ? c : d', '(a || b) ? c : d'],
  ['a ? b : c ? d : e', 'a ? b : (c ? d : e)'],
  ['a ? b ? c : d : e', 'a ? (b ? c : d) : e'],
  ['a ? b : c || d', 'a ? b : (c || d)'],
  ['p => a ? b : c', 'p => (a ? b : c)'],
  ['p => q => a + b', 'p => (q => (a + b))'],
  ['a ? p => b : c', 'a ? (p => b) : c'],
  ['p.a<=5||p.b<=3', '(p.a <= 5) || (p.b <= 3)'],
  ['a.b.c', '((a.b).c)'],
  ['a.f(b).c', '((a.f(b)).c)'],
];

describe('precedence and associativity', () => {
  test.each(cases)('%s means %s', (text, meaning) => {
    expect(tree(text)).toEqual(tree(meaning));
  });

  test.each([
    ['===', '=='],
    ['==', '=='],
    ['!==', '!='],
    ['!=', '!='],
    ['<>', '!='],
  ])('%s is parsed as %s', (written, operator) => {
    expect(parseExpression(`a ${written} b`, limits)).toMatchObject({ operator });
  });
});

describe('what JavaScript forbids as ambiguous', () => {
  const forbidden = [
    { text: 'a ?? b || c', col: 8, hint: "Write '(a ?? b) || c' or 'a ?? (b || c)'." },
    { text: 'a || b ?? c', col: 8, hint: "Write '(a || b) ?? c' or 'a || (b ?? c)'." },
    { text: 'a ?? b && c', col: 8, hint: "Write '(a ?? b) && c' or 'a ?? (b && c)'." },
    { text: 'a && b ?? c', col: 8, hint: "Write '(a && b) ?? c' or 'a && (b ?? c)'." },
    { text: 'a || b && c ?? d', col: 13, hint: "Write '(a || b) ?? c' or 'a || (b ?? c)'." },
    { text: '-a ** b', col: 4, hint: "Write '(-a) ** b' or '-(a ** b)'." },
    { text: 'c * !a.b ** b', col: 10, hint: "Write '(!a) ** b' or '!(a ** b)'." },
    { text: 'a ** -b ** c', col: 9, hint: "Write '(-a) ** b' or '-(a ** b)'." },
  ];
  test.each(forbidden)('$text is an error with a hint', ({ text, col, hint }) => {
    expect(thrownBy(() => parseExpression(text, limits))).toMatchObject({
      code: 'query-syntax',
      position: { ln: 1, col },
      hint,
    });
  });

  test.each([
    '(a ?? b) || c',
    'a ?? (b && c)',
    '(-a) ** b',
    '-(a ** b)',
    'a ?? b == c',
    '(a && b) ?? c',
  ])('%s is allowed', (text) => {
    expect(thrownBy(() => parseExpression(text, limits))).toBeUndefined();
  });
});

test('an expression has the same value as in JavaScript, and is an error if JavaScript rejects it', () => {
  const operators = '** * / % + - << >> < <= > >= & ^ | && || ??'.split(' ');
  const operand = fc.constantFrom(
    '0',
    '1',
    '2',
    '3',
    '7',
    'null',
    'true',
    '(1-2)',
    '- 3',
    '! 1',
    '~ 2',
    '(- 2)',
  );
  const text = fc
    .tuple(operand, fc.array(fc.tuple(fc.constantFrom(...operators), operand), { maxLength: 6 }))
    .map(([first, rest]) => [first, ...rest.flat()].join(' '));
  fc.assert(
    fc.property(text, (expression) => {
      const value = valueInJavaScript(expression);
      const error = thrownBy(() => parseExpression(expression, limits));
      expect(error === undefined).toBe(value !== undefined);
      if (error === undefined) {
        expect(evaluate(parseExpression(expression, limits))).toBe(value);
      }
    }),
    { numRuns: 5000 },
  );
});

/**
 * The value in JavaScript, or undefined if JavaScript rejects the text. No operand here is undefined.
 */
function valueInJavaScript(expression: string): unknown {
  try {
    return runInThisContext(`"use strict"; (${expression});`);
  } catch {
    return undefined;
  }
}
