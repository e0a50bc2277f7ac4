/** Values that Rowgate computes from the stored ones. */
import { describe, expect, test } from 'vitest';
import { propertyTypes } from '../../../src/engine/schema/array-types.js';
import type { PropertyType } from '../../../src/engine/schema/model.js';
import { parseExpression } from '../../../src/engine/language/parse-expression.js';
import { computedFields } from '../../../src/engine/result/computed-fields.js';
import { decode, rowBytes } from '../byte-rows.js';

const cipher = { encrypt: (text: string) => text, decrypt: (text: string) => text };
const limits = { expressionLengthMax: 100, nestingMax: 9 };

function computed(readValue: string, type: PropertyType, input: PropertyType, stored: string) {
  const expression = parseExpression(readValue, limits);
  const inputs = [{ name: 'x', column: 0, type: input }];
  const read = { expression, inputs, entity: 'Items', property: 'x' };
  const fieldOf = computedFields([{ name: 'x', type, role: 'value', read }], decode, cipher);
  const bytes = fieldOf?.(rowBytes([[stored]]), 0, 0);
  return bytes && decode(bytes, 0, bytes.length);
}

const stored: readonly (readonly [PropertyType, string, string?])[] = [
  ['integer', '7'],
  ['decimal', '1.50', '1.5'],
  ['string', 'a"b'],
  ['boolean', 't', 'true'],
  ['time', '24:00:00'],
  ['time', '25:00:00'],
  ['time', '-838:59:59'],
  ['time[]', '{24:00:00,10:00:00.5}', '["24:00:00","10:00:00.500"]'],
  ['date', '2024-02-29'],
  ['dateTime', '2024-02-29 12:00:00.123456+00', '2024-02-29T12:00:00.123456Z'],
  ['json', '{"a": ["b"]}'],
  ['json', 'no JSON'],
  ['uuid', '123e4567-e89b-42d3-a456-426614174000'],
  ['binary', 'AAEC'],
  ['interval', '1 day'],
  ['interval', 'of another program'],
  ['inet', 'of another program'],
  ['inet[]', '{10.0.0.1}', '["10.0.0.1"]'],
];

describe('a readValue', () => {
  test.each(stored.map(([type, text, kept = text]) => ({ type, text, kept })))(
    'that changes nothing keeps the stored $type $text',
    ({ type, text, kept }) => {
      expect(computed('nvl(x, x)', type, type, text)).toBe(kept);
    },
  );

  test.each(propertyTypes.filter((type) => !/string|json|xml|any/.test(type)))(
    'whose result is not of type %s is an error',
    (type) => {
      expect(() => computed('x + "?"', type, 'string', 'a')).toThrow(
        expect.objectContaining({
          code: 'evaluation-failed',
          message: expect.stringContaining("'x'"),
        }),
      );
    },
  );
});
