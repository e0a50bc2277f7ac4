import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExactNumber } from '../../src/engine/index.js';
import type { JsonListener, JsonScalar } from '../../src/workers/import/json-events.js';
import { JsonFault } from '../../src/workers/import/json-fault.js';
import { JsonReader } from '../../src/workers/import/json-reader.js';

type Part = readonly [string, JsonScalar?];

/** All that a listener hears of pieces of a text; throws what the reader throws. */
function partsOf(pieces: readonly Uint8Array[]): Part[] {
  const parts: Part[] = [];
  const listener: JsonListener = {
    takeObject: () => -1,
    openObject: () => parts.push(['{']),
    openList: () => parts.push(['[']),
    key: (name) => parts.push(['key', name]),
    scalar: (value) => parts.push(['value', value]),
    close: () => parts.push(['close']),
  };
  const reader = new JsonReader(listener);
  for (const piece of pieces) reader.write(piece);
  reader.end();
  return parts;
}

/** The same of a value that JSON.parse made. */
function partsOfValue(value: unknown): Part[] {
  if (Array.isArray(value)) return [['['], ...value.flatMap(partsOfValue), ['close']];
  if (typeof value !== 'object' || value === null) return [['value', scalar(value)]];
  const members = Object.entries(value);
  return [
    ['{'],
    ...members.flatMap(([name, one]) => [['key', name] as const, ...partsOfValue(one)]),
    ['close'],
  ];
}

function scalar(value: unknown): JsonScalar {
  if (value === null || typeof value === 'string') return value;
  return typeof value === 'boolean' ? value : Number(value);
}

/** Exact numbers as floats, as JSON.parse has them; members of one name but for the last. */
function asFloats(parts: readonly Part[]): Part[] {
  return parts.map(([kind, value]) =>
    value instanceof ExactNumber
      ? [kind, Number(value.text)]
      : value === undefined
        ? [kind]
        : [kind, value],
  );
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length));
}

const texts = fc.oneof(
  fc.json({ stringUnit: 'binary', maxDepth: 5 }),
  fc.jsonValue().map((value) => JSON.stringify(value, null, 2)),
);
const places = fc.array(fc.nat(), { maxLength: 12 });
/** Small changes of a text, many of which leave it no JSON. */
const changes = fc.array(
  fc.record({
    at: fc.nat(),
    drop: fc.nat(2),
    add: fc.constantFrom('', ...'{}[]:,"\\u0e-+.1tfn \n'),
  }),
  { maxLength: 3 },
);

describe('a text of JSON', () => {
  test('is read as JSON.parse reads it, wherever it is cut', () => {
    fc.assert(
      fc.property(texts, places, (text, where) => {
        const bytes = Buffer.from(text);
        expect(asFloats(partsOf(cut(bytes, where)))).toEqual(partsOfValue(JSON.parse(text)));
      }),
      { numRuns: 500 },
    );
  });

  test('is one for the reader exactly where it is one for JSON.parse', () => {
    fc.assert(
      fc.property(texts, changes, places, (text, many, where) => {
        let changed = text;
        for (const { at, drop, add } of many) {
          const from = at % (changed.length + 1);
          changed = changed.slice(0, from) + add + changed.slice(from + drop);
        }
        const pieces = cut(Buffer.from(changed), where);
        if (isJson(changed)) expect(() => partsOf(pieces)).not.toThrow();
        else expect(() => partsOf(pieces)).toThrow(JsonFault);
      }),
      { numRuns: 2000 },
    );
  });

  test('may begin with a byte order mark', () => {
    const bytes = Uint8Array.of(0xef, 0xbb, 0xbf, 0x37);
    for (let at = 0; at <= 4; at += 1) expect(partsOf(cut(bytes, [at]))).toEqual([['value', 7]]);
  });

  test('keeps the digits of numbers', () => {
    const parts = partsOf([Buffer.from('[0.1000000000000000000001,1e-400,-0,1E2]')]);
    const exact = (text: string): Part => ['value', new ExactNumber(text)];
    expect(parts.slice(1, -1)).toEqual([
      exact('0.1000000000000000000001'),
      exact('1e-400'),
      ['value', -0],
      ['value', 100],
    ]);
  });
});

test.each([
  ['[tru,', 4],
  ['[truex', 5],
  ['[-a', 2],
  ['[1.]', 3],
  ['[1.5e+]', 6],
  ['[01', 2],
  ['["\\x"', 3],
  ['["\\u12g4"]', 6],
  ['["a\\u12"]', 7],
  ['["\t"', 2],
  ['[1}', 2],
  ['{"a":1]', 6],
  ['{"a",', 4],
  ['{,', 1],
  ['[1,]', 3],
  ['}', 0],
  ['1,', 1],
  ['"é" x', 5],
])('%s is refused at byte %i, wherever it is cut', (text, offset) => {
  const bytes = Buffer.from(`${text} `);
  const said = `what stands at byte ${offset} is not expected`;
  expect(() => partsOf([bytes])).toThrow(said);
  expect(() => partsOf([...bytes].map((byte) => Uint8Array.of(byte)))).toThrow(said);
});

test('a value of more than 64 MiB is refused while it comes', () => {
  const piece = Buffer.alloc(1 << 20, 'x');
  const pieces = [Buffer.from('["'), ...Array.from({ length: 65 }, () => piece)];
  expect(() => partsOf(pieces)).toThrow('The value at byte 2 is longer than 64 MiB');
});

test('brackets nest a hundred deep, and no deeper', () => {
  const nested = (depth: number) => [Buffer.from('['.repeat(depth) + ']'.repeat(depth))];
  expect(partsOf(nested(100))).toHaveLength(200);
  expect(() => partsOf(nested(101))).toThrow('deeper than 100 levels');
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
