import { describe, expect, test } from 'vitest';
import { parseExpression } from '../../../src/engine/language/parse-expression.js';
import { limits } from './limits-for-tests.js';
import { withoutSpans } from './without-spans.js';

const tree = (text: string): unknown => withoutSpans(parseExpression(text, limits));
const name = (word: string) => ({ kind: 'name', name: word });

describe('expressions', () => {
  const p = name('p');
  const cases: readonly { readonly text: string; readonly expected: object }[] = [
    { text: '"a"', expected: { kind: 'text', value: 'a' } },
    { text: '1.50', expected: { kind: 'number', text: '1.50' } },
    { text: 'true', expected: { kind: 'boolean', value: true } },
    { text: 'false', expected: { kind: 'boolean', value: false } },
    { text: 'null', expected: { kind: 'null' } },
    { text: 'id', expected: name('id') },
    { text: 'p . name', expected: { kind: 'member', object: p, name: 'name' } },
    { text: 'now()', expected: { kind: 'call', name: 'now', arguments: [] } },
    { text: 'p.lower()', expected: { kind: 'call', receiver: p, name: 'lower', arguments: [] } },
    { text: '[]', expected: { kind: 'list', items: [] } },
    { text: '[a, p,]', expected: { kind: 'list', items: [name('a'), p] } },
    { text: '{}', expected: { kind: 'object', entries: [] } },
    {
      text: '({a: p, "b c": p})',
      expected: {
        kind: 'object',
        entries: [
          { key: 'a', value: p },
          { key: 'b c', value: p },
        ],
      },
    },
    { text: 'p=>p', expected: { kind: 'lambda', parameter: 'p', body: p } },
    { text: '( p ) /* c */ => p', expected: { kind: 'lambda', parameter: 'p', body: p } },
    { text: '( ) => p', expected: { kind: 'lambda', body: p } },
    {
      text: 'p=>{a: p}',
      expected: {
        kind: 'lambda',
        parameter: 'p',
        body: { kind: 'object', entries: [{ key: 'a', value: p }] },
      },
    },
    { text: '((p))', expected: p },
    {
      text: '"a".f(1,)',
      expected: {
        kind: 'call',
        receiver: { kind: 'text', value: 'a' },
        name: 'f',
        arguments: [{ kind: 'number', text: '1' }],
      },
    },
    { text: '-p', expected: { kind: 'unary', operator: '-', operand: p } },
  ];
  test.each(cases)('$text is parsed', ({ text, expected }) => {
    expect(tree(text)).toEqual(expected);
  });
});

describe('spans', () => {
  const text = 'p => (p.a + b) * f(  c)';
  const cases = [
    { path: 'the lambda', pick: 'p => (p.a + b) * f(  c)', of: ['span'] },
    {
      path: 'its body, the opening parenthesis included',
      pick: '(p.a + b) * f(  c)',
      of: ['body', 'span'],
    },
    { path: 'the operator', pick: '*', of: ['body', 'operatorSpan'] },
    { path: 'what parentheses hold', pick: 'p.a + b', of: ['body', 'left', 'span'] },
    { path: 'a member', pick: 'p.a', of: ['body', 'left', 'left', 'span'] },
    { path: "a member's name", pick: 'a', of: ['body', 'left', 'left', 'nameSpan'] },
    { path: 'a call', pick: 'f(  c)', of: ['body', 'right', 'span'] },
  ];
  test.each(cases)('the span of $path covers $pick', ({ pick, of }) => {
    expect(sliceAt(parseExpression(text, limits), of)).toBe(pick);
  });

  test('a call has the offset after its opening parenthesis', () => {
    expect(parseExpression('abs (x)', limits)).toMatchObject({ open: 5 });
  });

  function sliceAt(root: unknown, path: readonly string[]): string {
    let part = root;
    for (const member of path) part = Object(part)[member];
    const { start, end } = Object(part);
    return text.slice(start, end);
  }
});
