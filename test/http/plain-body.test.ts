/** A body that is taken apart without a parser is what the parser makes of it, or is left to it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePlainBody } from '../../src/gateway/http/plain-body.js';
import '../support/fixed-seed.js';

const pieces = fc.constantFrom(
  '"',
  '\\',
  '\\"',
  'n',
  '{',
  '}',
  ',',
  ':',
  '\n',
  'é',
  'p=>p.id',
  '1',
);
const text = fc.oneof(
  fc.string(),
  fc.array(pieces, { maxLength: 8 }).map((all) => all.join('')),
);
const body = fc.oneof(
  fc.record({ query: text, data: text }).map((value) => JSON.stringify(value)),
  fc.record({ query: text, data: text, options: text }).map((value) => JSON.stringify(value)),
  fc.tuple(text, text).map(([query, data]) => `{"query":"${query}","data":"${data}"}`),
);

describe('a plain body', () => {
  test('is what the parser makes of it', () => {
    fc.assert(
      fc.property(body, (json) => {
        const plain = parsePlainBody(json);
        if (plain !== undefined) expect(plain).toEqual(JSON.parse(json));
      }),
      { numRuns: 5000 },
    );
  });

  test('is what most clients send, however many queries take turns', () => {
    for (let round = 0; round < 3; round += 1) {
      for (let id = 0; id < 20; id += 1) {
        const value = {
          query: `Orders.filter(p=>p.id==${id})`,
          data: JSON.stringify({ id, a: 'x' }),
        };
        expect(parsePlainBody(JSON.stringify(value))).toEqual(value);
      }
    }
  });

  test.each([
    '{"query":"Orders"}',
    '{"query":"Orders","data":"{}","options":"{}"}',
    '{"query":"Orders","data":{"a":"b"}}',
    '{"query":"a\\u0041","data":"{}"}',
    '{"query":"Orders","data":"a\nb"}',
    '{"query":"Orders","data":"',
    '{"query":"Orders","data":"\\"}',
    '',
  ])('is not %s', (json) => expect(parsePlainBody(json)).toBeUndefined());
});
