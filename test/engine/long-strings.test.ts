/** Strings of any length are read inside JSON and arrays: V8's regular expressions take only 8 million characters. */
import { describe, expect, test } from 'vitest';
import { utf8Bytes } from '../../src/engine/result/output-bytes.js';
import { indentedJson } from '../../src/engine/values/data-json.js';
import { scalarEncoder } from '../../src/engine/values/scalar-json.js';

const LETTERS = 9_000_000;

describe.each([
  ['letters', 'x'.repeat(LETTERS)],
  ['quotes', String.raw`\"`.repeat(LETTERS)],
])('a string of 9 million %s', (_, letters) => {
  const string = `"${letters}"`;

  test.each([
    ['json', `[ ${string} ]`, `[${string}]`],
    ['string[]', `[ ${string} ]`, `[${string}]`],
    ['string[]', `{${string},a}`, `[${string},"a"]`],
    ['string[]', `{ ${string} : 1}`, `{${string}:"1"}`],
  ] as const)('is read in a value of type %s', (type, text, json) => {
    // Not `toBe`, whose message would be as long.
    expect(scalarEncoder(type)(text) === json).toBe(true);
  });

  test('is indented', () => {
    expect(indentedJson(`[${string}]`, 0) === `[\n  ${string}\n]`).toBe(true);
  });
});

test.each(['', 'a', 'ä', '€', '😀', 'a😀ä€b', '\u0000\u007f\u0080\u07ff\u0800\uffff'])(
  'the UTF-8 of %j',
  (text) => {
    expect([...utf8Bytes(text)]).toEqual([...new TextEncoder().encode(text)]);
  },
);
