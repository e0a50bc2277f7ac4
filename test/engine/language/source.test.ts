import { describe, expect, test } from 'vitest';
import { EngineError } from '../../../src/engine/errors.js';
import { locate, positionAt } from '../../../src/engine/language/source.js';

describe('positionAt', () => {
  const cases = [
    { text: '', offset: 0, ln: 1, col: 1 },
    { text: 'abc', offset: 2, ln: 1, col: 3 },
    { text: 'abc', offset: 3, ln: 1, col: 4 },
    { text: 'a\nb', offset: 2, ln: 2, col: 1 },
    { text: 'a\r\nb', offset: 2, ln: 1, col: 3 },
    { text: 'a\r\nb', offset: 3, ln: 2, col: 1 },
    { text: 'a\rb', offset: 2, ln: 2, col: 1 },
    { text: 'a\n\r\rb', offset: 4, ln: 4, col: 1 },
    { text: 'a\u2028b\u2029cd', offset: 5, ln: 3, col: 2 },
    { text: '😀b', offset: 2, ln: 1, col: 3 },
    { text: 'ab', offset: 99, ln: 1, col: 3 },
  ];
  test.each(cases)('finds offset $offset of $text at $ln:$col, counted from 1', (given) => {
    expect(positionAt(given.text, given.offset, 1)).toEqual({ ln: given.ln, col: given.col });
  });

  test('counts lines and columns from 0 if requested', () => {
    expect(positionAt('a\nbc', 3, 0)).toEqual({ ln: 1, col: 1 });
    expect(positionAt('abc', 0, 0)).toEqual({ ln: 0, col: 0 });
  });
});

describe('locate', () => {
  test('gives an error the position of its span, and changes nothing else', () => {
    const error = new EngineError('unknown-property', 'No property x.', {
      span: { start: 2, end: 3 },
      hint: 'Did you mean y?',
    });
    expect(locate(error, 'a\nx')).toMatchObject({
      code: 'unknown-property',
      message: 'No property x.',
      position: { ln: 2, col: 1 },
      span: { start: 2, end: 3 },
      hint: 'Did you mean y?',
    });
  });

  test('leaves an error without a span unchanged', () => {
    const error = new EngineError('unknown-stage', 'No stage x.');
    expect(locate(error, 'text')).toBe(error);
  });

  test('leaves an error that has a position unchanged', () => {
    const position = { ln: 7, col: 7 };
    const error = new EngineError('query-syntax', 'No.', { span: { start: 0, end: 1 }, position });
    expect(locate(error, 'text')).toBe(error);
  });
});
