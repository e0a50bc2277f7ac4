import { runInThisContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readToken } from '../../../src/engine/language/lexer.js';
import { parseExpression } from '../../../src/engine/language/parse-expression.js';
import type { Token } from '../../../src/engine/language/tokens.js';
import { limits } from './limits-for-tests.js';
import { thrownBy } from './thrown-by.js';

function readAll(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let token = readToken(text, 0);
  while (token.kind !== 'end') {
    tokens.push(token);
    token = readToken(text, token.end);
  }
  return tokens;
}

function kindsOf(text: string): string {
  return readAll(text)
    .map((token) => token.kind)
    .join(' ');
}

describe('symbols', () => {
  const cases = [
    ['a===b', 'name == name'],
    ['a!==b', 'name != name'],
    ['a<>b', 'name != name'],
    ['a==b', 'name == name'],
    ['a=>b', 'name => name'],
    ['a>=b', 'name >= name'],
    ['a<<b>>c', 'name << name >> name'],
    ['a**b*c', 'name ** name * name'],
    ['a??b?c:d', 'name ?? name ? name : name'],
    ['a//b/c', 'name // name / name'],
    ['a//*b', 'name // * name'],
    ['a&&b&c||d|e', 'name && name & name || name | name'],
    ['!a!=~b', '! name != ~ name'],
    ['a=b', 'name = name'],
    ['a--b', 'name -- name'],
    ['([{}]),.:;', '( [ { } ] ) , . : ;'],
  ];
  test.each(cases)('%s is read as %s', (text, kinds) => {
    expect(kindsOf(text)).toBe(kinds);
  });
});

describe('blanks', () => {
  test('white space, line breaks and comments separate tokens, and are not tokens', () => {
    const text = '\uFEFF a\t\v\f\u00A0\u3000b\r\n\u2028/* c\n** / * */d/**/e';
    expect(readAll(text).map((token) => token.value)).toEqual(['a', 'b', 'd', 'e']);
  });

  test('a comment that is not closed is an error at its start', () => {
    expect(thrownBy(() => readAll('a /* b'))).toMatchObject({
      code: 'query-syntax',
      message: "Expected '*/' but found the end of the text.",
      position: { ln: 1, col: 3 },
    });
  });
});

describe('names', () => {
  test.each(['a', '_', '$', 'a1_$', 'Orders', 'trueish', 'nullable', 'constructor'])(
    '%s is a name',
    (text) => {
      expect(readAll(text)).toEqual([{ kind: 'name', start: 0, end: text.length, value: text }]);
    },
  );

  test.each(['true', 'false', 'null'])('%s is a keyword, not a name', (text) => {
    expect(kindsOf(text)).toBe(text);
  });
});

describe('numbers', () => {
  test.each([
    '0',
    '7',
    '1234567890123456789012',
    '1.5',
    '.5',
    '5.',
    '0.50',
    '1e3',
    '1E+3',
    '2.5e-7',
    '5.e1',
    '.5e1',
  ])('%s keeps its digits', (text) => {
    expect(readAll(text)).toEqual([{ kind: 'number', start: 0, end: text.length, value: text }]);
  });

  test('a second dot starts another number', () => {
    expect(readAll('1.5.2').map((token) => token.value)).toEqual(['1.5', '.2']);
  });

  const wrong = [
    {
      text: '12px',
      col: 3,
      message: "Expected an operator but found 'px' directly after a number.",
    },
    {
      text: '5.round',
      col: 3,
      message: "Expected an operator but found 'round' directly after a number.",
    },
    {
      text: '0x1F',
      col: 2,
      message: "Expected an operator but found 'x1F' directly after a number.",
    },
    {
      text: '1_000',
      col: 2,
      message: "Expected an operator but found '_000' directly after a number.",
    },
    {
      text: '10n',
      col: 3,
      message: "Expected an operator but found 'n' directly after a number.",
    },
    { text: '1e', col: 2, message: 'Expected the digits of an exponent.' },
    { text: '1e+', col: 2, message: 'Expected the digits of an exponent.' },
    { text: '1em', col: 2, message: 'Expected the digits of an exponent.' },
    { text: '007', col: 1, message: 'A number cannot start with superfluous zeros.' },
  ];
  test.each(wrong)('$text is an error', ({ text, col, message }) => {
    expect(thrownBy(() => readAll(text))).toMatchObject({ message, position: { ln: 1, col } });
  });
});

describe('strings', () => {
  const cases = [
    { text: String.raw`"a\"b"`, value: 'a"b' },
    { text: String.raw`'a\'b"c'`, value: `a'b"c` },
    { text: String.raw`"\n\t\b\v\f\r"`, value: '\n\t\b\v\f\r' },
    { text: String.raw`"\x41\u00e9\u{1F600}\u{000041}"`, value: 'Aé😀A' },
    { text: String.raw`"\uD83D\uDE00"`, value: '😀' },
    { text: String.raw`"\q\/\\\%"`, value: 'q/\\%' },
    { text: String.raw`"\😀"`, value: '😀' },
    { text: '"a\\\nb\\\r\nc\\\rd\\\u2028e"', value: 'abcde' },
    { text: '"a\u2028b\u2029"', value: 'a\u2028b\u2029' },
    { text: '`a\nb\r\nc\rd "\'`', value: 'a\nb\nc\nd "\'' },
    { text: '`$ $a {b} \\${c} $`', value: '$ $a {b} ${c} $' },
    { text: '"${a}"', value: '${a}' },
    { text: '"/* a */ // b"', value: '/* a */ // b' },
    { text: '""', value: '' },
  ];
  test.each(cases)('$text is $value', ({ text, value }) => {
    expect(readAll(text)).toEqual([{ kind: 'text', start: 0, end: text.length, value }]);
  });

  const wrong = [
    {
      text: 'a "b',
      position: { ln: 1, col: 3 },
      message: 'Expected the closing " of this string but found the end of the text.',
    },
    {
      text: '"b\\',
      position: { ln: 1, col: 1 },
      message: 'Expected the closing " of this string but found the end of the text.',
    },
    {
      text: "\n'b\nc'",
      position: { ln: 2, col: 1 },
      message: "Expected the closing ' of this string but found the end of the line.",
    },
    {
      text: '`b',
      position: { ln: 1, col: 1 },
      message: 'Expected the closing ` of this string but found the end of the text.',
    },
    {
      text: '`a${b}`',
      position: { ln: 1, col: 3 },
      message: "A template string cannot contain '${'.",
    },
    {
      text: String.raw`"a\xg0"`,
      position: { ln: 1, col: 3 },
      message: 'Expected 2 hexadecimal digits in this escape.',
    },
    {
      text: String.raw`"a\u12"`,
      position: { ln: 1, col: 3 },
      message: 'Expected 4 hexadecimal digits in this escape.',
    },
    {
      text: String.raw`"\u{}"`,
      position: { ln: 1, col: 2 },
      message: "Expected hexadecimal digits and '}' in this escape.",
    },
    {
      text: String.raw`"\u{110000}"`,
      position: { ln: 1, col: 2 },
      message: 'Unicode ends at U+10FFFF.',
    },
    {
      text: String.raw`"\1"`,
      position: { ln: 1, col: 2 },
      message: 'Octal escapes are not part of the language.',
    },
    {
      text: String.raw`"a\0"`,
      position: { ln: 1, col: 1 },
      message: 'A string cannot contain the character U+0000, which databases do not store.',
    },
    {
      text: '"\0"',
      position: { ln: 1, col: 1 },
      message: 'A string cannot contain the character U+0000, which databases do not store.',
    },
    {
      text: String.raw`"\ud83d"`,
      position: { ln: 1, col: 1 },
      message: 'A string cannot contain half of a surrogate pair, which is not a character.',
    },
    {
      text: '"\ude00"',
      position: { ln: 1, col: 1 },
      message: 'A string cannot contain half of a surrogate pair, which is not a character.',
    },
  ];
  test.each(wrong)('$text is an error', ({ text, position, message }) => {
    expect(thrownBy(() => readAll(text))).toMatchObject({
      code: 'query-syntax',
      message,
      position,
    });
  });

  test('a literal has the same meaning as in strict JavaScript, or is an error where it is one there', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '\\',
        '\\x',
        '\\u',
        '\\u{',
        '}',
        '{',
        '4',
        '1',
        'F',
        'n',
        '\n',
        '\r',
        '\u2028',
        '$',
      ),
      fc.string({ maxLength: 2 }),
    );
    const literal = fc
      .tuple(fc.constantFrom('"', "'", '`'), fc.array(piece, { maxLength: 8 }))
      .map(
        ([quote, pieces]) =>
          quote + pieces.join('').replaceAll(quote, '').replaceAll('${', '') + quote,
      );
    fc.assert(
      fc.property(literal, (text) => {
        const meant = valueInJavaScript(text);
        if (meant === undefined || /[\0\p{Surrogate}]/u.test(meant)) {
          expect(thrownBy(() => readAll(text))).toBeDefined();
        } else {
          expect(readAll(text).map((token) => token.value)).toEqual([meant]);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

/** The value of a literal in strict JavaScript, or undefined if it is not one. */
function valueInJavaScript(literal: string): string | undefined {
  try {
    return String(runInThisContext(`"use strict"; (${literal});`));
  } catch {
    return undefined;
  }
}

describe('characters that do not start a token', () => {
  const cases = [
    { text: 'a # b', name: "'#' (U+0023)", col: 3 },
    { text: '😀', name: "'😀' (U+1F600)", col: 1 },
    { text: 'é', name: "'é' (U+00E9)", col: 1 },
    { text: 'a\\', name: "'\\' (U+005C)", col: 2 },
    { text: '@', name: "'@' (U+0040)", col: 1 },
    { text: '\0', name: 'U+0000', col: 1 },
    { text: '\ud800', name: 'U+D800', col: 1 },
    { text: '\u0301', name: 'U+0301', col: 1 },
  ];
  test.each(cases)('$name is named in the error', ({ text, name, col }) => {
    expect(thrownBy(() => readAll(text))).toMatchObject({
      message: `Unexpected character ${name}.`,
      position: { ln: 1, col },
    });
  });
});

describe('a million units of hostile text', () => {
  const hostile = [
    { what: 'blanks', unit: ' ' },
    { what: 'comments', unit: '/**/' },
    { what: 'digits', unit: '1' },
    { what: 'zeros', unit: '0' },
    { what: 'fractions', unit: '.1' },
    { what: 'exponents', unit: '1e1 ' },
    { what: 'names', unit: 'e1' },
    { what: 'parentheses with blanks', unit: '( ' },
    { what: 'unclosed comments', unit: '/*/ ' },
    { what: 'escapes', unit: String.raw`"\n"` },
  ];
  // Quadratic time would exceed the time limit of tests.
  test.each(hostile)('$what take linear time', ({ unit }) => {
    const text = `(${unit.repeat(1_000_000 / unit.length)}#`;
    expect(thrownBy(() => readAll(text))).toBeDefined();
    expect(
      thrownBy(() => parseExpression(text, { ...limits, expressionLengthMax: 2_000_000 })),
    ).toBeDefined();
  });
});
