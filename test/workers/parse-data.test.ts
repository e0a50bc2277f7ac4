import fc from 'fast-check';
import { expect, test } from 'vitest';
import '../support/fixed-seed.js';
import { ExactNumber } from '../../src/engine/index.js';
import { parseData } from '../../src/workers/parse-data.js';

test.each([
  ['123456789012345', 123456789012345],
  ['1234567890123456', new ExactNumber('1234567890123456')],
  ['0.1234567890123456789', new ExactNumber('0.1234567890123456789')],
  ['1e99', 1e99],
  ['1e100', new ExactNumber('1e100')],
  ['1.5E-300', new ExactNumber('1.5E-300')],
  ['"1234567890123456"', '1234567890123456'],
  ['"e100 1e100"', 'e100 1e100'],
])('%s is read without loss', (text, value) => {
  expect(parseData(`{"a":[${text},"é"]}`)).toEqual({ a: [value, 'é'] });
});

test('numbers that fit into a double are read as JSON.parse reads them', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const parsed = JSON.stringify(parseData(text), (_, value: unknown) =>
        value instanceof ExactNumber ? Number(value.text) : value,
      );
      expect(parsed).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

test.each(['{', '[1,]', '{"a":01}', '1234567890123456,'])('%s is not valid data', (text) => {
  expect(() => parseData(text)).toThrow(expect.objectContaining({ code: 'data-malformed' }));
});

test.each([
  ['{id:1}', 'The data is not valid JSON. The error is at position 1.'],
  ['{"id":12345678901234567890,}', 'The data is not valid JSON. The error is at position 27.'],
  ['{"id":secret}', 'The data is not valid JSON.'],
])('the error for %s says where it is, but quotes nothing', (text, message) => {
  const hint = '"data" may be a JSON object instead of its text.';
  expect(() => parseData(text)).toThrow(expect.objectContaining({ message, hint }));
});
