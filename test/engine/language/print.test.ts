import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExpression } from '../../../src/engine/language/parse-expression.js';
import { parseQuery } from '../../../src/engine/language/parse-query.js';
import { printExpression, printQuery } from './print.js';
import { expressionArbitrary, nameArbitrary } from './expression-arbitrary.js';
import { limits } from './limits-for-tests.js';
import { withoutSpans } from './without-spans.js';

const deep = { ...limits, nestingMax: 128, expressionLengthMax: 10_000_000 };

describe('printExpression', () => {
  const cases = [
    ['((a))+((b)*(c))', 'a + b * c'],
    ['(a+b)*c', '(a + b) * c'],
    ['a-(b-c)', 'a - (b - c)'],
    ['(a**b)**c', '(a ** b) ** c'],
    ['a**(b**c)', 'a ** b ** c'],
    ['(-a)**b', '(-a) ** b'],
    ['-(-a)', '- -a'],
    ['a-(-b)', 'a - -b'],
    ['!(a&&b)', '!(a && b)'],
    ['(a??b)||c', '(a ?? b) || c'],
    ['a??(b&&c)', 'a ?? (b && c)'],
    ['(a?b:c)?d:e', '(a ? b : c) ? d : e'],
    ['a?b:(c?d:e)', 'a ? b : c ? d : e'],
    ['(p)=>{a:1}', 'p => ({a: 1})'],
    ['()=>[1,]', '() => [1]'],
    ['(p=>p).x', '(p => p).x'],
    ['(5).round()', '(5).round()'],
    ['(a+b).f(c)', '(a + b).f(c)'],
    ["'it\\'s'", '"it\'s"'],
    ['{"a b":1,"c":2,"true":3}', '{"a b": 1, c: 2, "true": 3}'],
    ['a===b', 'a == b'],
    ['a<>b', 'a != b'],
    ['a.b[ 0 ]["c d"].e', 'a.b[0]["c d"].e'],
  ];
  test.each(cases)('%s is printed as %s', (text, printed) => {
    expect(printExpression(parseExpression(text, limits))).toBe(printed);
  });

  test('a printed expression is parsed as the same tree', () => {
    fc.assert(
      fc.property(expressionArbitrary, (expression) => {
        const parsed = parseExpression(printExpression(expression), deep);
        expect(withoutSpans(parsed)).toEqual(withoutSpans(expression));
      }),
      { numRuns: 3000 },
    );
  });

  test('no unnecessary parentheses are printed', () => {
    fc.assert(
      fc.property(expressionArbitrary, fc.nat(), (expression, seed) => {
        const text = printExpression(expression);
        const without = dropOnePair(text, seed);
        if (without === undefined) return;
        expect(parsedOrUndefined(without)).not.toEqual(withoutSpans(expression));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('printQuery', () => {
  test('prints the entity and its clauses', () => {
    const text = 'Orders.details.filter(p=>p.id===1).map(p=>({x:p.y})).page(1,10);';
    const printed = 'Orders.details.filter(p => p.id == 1).map(p => ({x: p.y})).page(1, 10)';
    expect(printQuery(parseQuery(text, limits))).toBe(printed);
  });

  test('a printed query is parsed as the same query', () => {
    const span = { start: 0, end: 0 };
    const clause = fc
      .tuple(nameArbitrary, fc.array(expressionArbitrary, { maxLength: 2 }))
      .map(([name, given]) => ({ name, nameSpan: span, open: 0, arguments: given, span }));
    const query = fc
      .tuple(
        fc.array(nameArbitrary, { minLength: 1, maxLength: 3 }),
        fc.array(clause, { maxLength: 3 }),
      )
      .map(([names, clauses]) => ({
        kind: 'query' as const,
        entity: names.join('.'),
        entitySpan: span,
        clauses,
      }));
    fc.assert(
      fc.property(query, (syntax) => {
        expect(withoutSpans(parseQuery(printQuery(syntax), deep))).toEqual(withoutSpans(syntax));
      }),
      { numRuns: 500 },
    );
  });
});

/** The text without one pair of grouping parentheses, or undefined if it has none. */
function dropOnePair(text: string, seed: number): string | undefined {
  if (/["']/.test(text)) return undefined;
  const opens = [...text.matchAll(/(?<![\w$])\((?!\)|\{)/g)].map((match) => match.index);
  const open = opens[seed % opens.length];
  if (open === undefined) return undefined;
  const close = closingOf(text, open);
  // A number before a dot keeps its parentheses, even if it contains a dot itself.
  if (/^\([\d.eE+-]+$/.test(text.slice(open, close))) return undefined;
  return `${text.slice(0, open)} ${text.slice(open + 1, close)} ${text.slice(close + 1)}`;
}

function closingOf(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth === 0) return at;
  }
  return text.length;
}

function parsedOrUndefined(text: string): unknown {
  try {
    return withoutSpans(parseExpression(text, deep));
  } catch {
    return undefined;
  }
}
