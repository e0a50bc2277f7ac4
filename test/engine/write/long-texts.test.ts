/** Evaluated texts are limited before they are made, and count code points without an array of them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExpression } from '../../../src/engine/language/parse-expression.js';
import {
  countCharacters,
  isLonger,
  mapCharacters,
  reverseCharacters,
  sliceCharacters,
} from '../../../src/engine/values/characters.js';
import { replaceText, TEXT_LENGTH_MAX } from '../../../src/engine/values/evaluate/bounded-text.js';
import { evaluate } from '../../../src/engine/values/evaluate/evaluate.js';
import { isLike } from '../../../src/engine/values/evaluate/like.js';
import { textOf, textOfValue, type Value } from '../../../src/engine/values/evaluate/value.js';

const limits = { expressionLengthMax: 4096, nestingMax: 64 };
const cipher = { encrypt: (text: string) => text, decrypt: (text: string) => text };
const half = 'x'.repeat(TEXT_LENGTH_MAX / 2);
const names = new Map([
  ['x', 'x'.repeat(14_000)],
  ['y', 'y'.repeat(14_000)],
  ['half', half],
  ['most', half + half],
]);

function valueOf(text: string): Value {
  const valueAt = ([name = '']: readonly string[]) => names.get(name) ?? null;
  return evaluate(parseExpression(text, limits), { now: '', cipher, valueAt });
}

const tooLong = expect.objectContaining({
  code: 'value-out-of-range',
  message: 'A text has more than 33554432 characters.',
});

test.each([
  'replace(x,"x",y)',
  'half+half+"x"',
  '1+(half+half)',
  'concat(half,"x",half)',
  '(half+half).concat("x")',
  'toString([half,half])',
  '[half,half]+""',
  'encrypt(most+"x","key")',
  'like(x,most+"x")',
])('%s would make a text that is too long', (text) => {
  expect(() => valueOf(text)).toThrow(tooLong);
});

test.each([
  'half+half',
  'replace(half,"x","yy")',
  'concat(half,half)',
  'upper(most)',
  'reverse(most)',
  'substring(most,1)',
])('%s makes a text of the largest length', (text) => {
  expect(textOf(valueOf(text))?.length).toBe(TEXT_LENGTH_MAX);
});

test('the items of an array are limited together', () => {
  expect(() => textOfValue([half, half, 'x'], 'string[]')).toThrow(tooLong);
  expect(textOfValue(['a', null], 'string[]')).toBe('["a",null]');
});

describe('characters are code points', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'ß', '😀', '\ud83d', '\ude00', 'İ') });

  test('in every function', () => {
    fc.assert(
      fc.property(text, fc.nat(9), fc.nat(9), (own, start, count) => {
        const all = [...own];
        expect(countCharacters(own)).toBe(all.length);
        expect(isLonger(own, count)).toBe(all.length > count);
        expect(sliceCharacters(own, start, start + count)).toBe(
          all.slice(start, start + count).join(''),
        );
        expect(sliceCharacters(own, start, Infinity)).toBe(all.slice(start).join(''));
        expect(mapCharacters(own, (each) => `${each},`)).toBe(
          all.map((each) => `${each},`).join(''),
        );
        expect(reverseCharacters(own)).toBe(all.reverse().join(''));
      }),
    );
  });

  test('also where a long text is divided into pieces', () => {
    for (const own of ['😀'.repeat(9000), `a${'😀'.repeat(9000)}`]) {
      expect(mapCharacters(own, (each) => each)).toBe(own);
      expect(reverseCharacters(own)).toBe([...own].reverse().join(''));
    }
  });

  test('of a text that is longer than any array', () => {
    const longest = 'x'.repeat(2 ** 27 + 1);
    expect(countCharacters(longest)).toBe(2 ** 27 + 1);
    expect(isLonger(longest, 10)).toBe(true);
    expect(sliceCharacters(longest, 1, 3)).toBe('xx');
  });
});

test('replaced text is what JavaScript replaces', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '$') });
  const part = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(text, part, text, (own, old, by) => {
      expect(replaceText(own, old, by)).toBe(own.split(old).join(by));
    }),
  );
});

test('a pattern may end with a backslash', () => {
  expect(isLike('a\\', 'a\\')).toBe(true);
  expect(isLike('a😀%', '_😀\\%')).toBe(true);
  expect(isLike('a😀b', 'a_b')).toBe(true);
  expect(isLike('a😀x', 'a😀\\%')).toBe(false);
});
