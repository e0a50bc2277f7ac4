/**
 * Keys of rows are equal exactly if their values are equal, whether they were read from strings or from
 * bytes.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyReader, keyOfText, RowBytes } from '../../../src/engine/index.js';
import { decodeText } from '../../../src/workers/decode-text.js';
import '../../support/fixed-seed.js';

const delicate = [
  '0',
  '-0',
  '00',
  '+1',
  '-',
  '',
  '1.0',
  '999999999999999',
  '9999999999999999',
  ' 1',
];
const text = fc.oneof(
  fc.constantFrom(...delicate),
  fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).map(String),
  fc.string({ unit: fc.constantFrom('0', '1', '9', '-', '+', '.', 'e', 'é'), maxLength: 4 }),
);

test('two keys are equal exactly if their strings are', () => {
  fc.assert(
    fc.property(text, text, (left, right) => {
      expect(keyOfText(left) === keyOfText(right)).toBe(left === right);
    }),
    { numRuns: 2000 },
  );
});

test('the key of a field equals the key of its text', () => {
  fc.assert(
    fc.property(fc.array(fc.option(text), { minLength: 1, maxLength: 4 }), (fields) => {
      const rows = new RowBytes();
      rows.push(dataRow(fields), 0);
      for (const [column, field] of fields.entries()) {
        const key = new KeyReader(rows, column, decodeText).at(0);
        expect(key).toBe(field === null ? null : keyOfText(field));
      }
    }),
    { numRuns: 1000 },
  );
});

/** A DataRow message, starting with its number of fields. */
function dataRow(fields: readonly (string | null)[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeUInt16BE(fields.length);
  const pieces = fields.map((field) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(field === null ? -1 : Buffer.byteLength(field));
    return Buffer.concat([length, Buffer.from(field ?? '')]);
  });
  return Buffer.concat([count, ...pieces]);
}
