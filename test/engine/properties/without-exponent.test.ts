/** Numbers written with an exponent are converted to the same numbers without one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutExponent } from '../../../src/engine/dialects/without-exponent.js';
import { canonicalNumber } from '../../language/language-fixture.js';
import '../../support/fixed-seed.js';

test.each([
  ['1e2', '100'],
  ['1.5e-1', '0.15'],
  ['-12.34E+1', '-123.4'],
  ['.5e1', '5'],
  ['1.50e-28', '0.000000000000000000000000000150'],
  ['0e5', '0'],
  ['12.5', '12.5'],
])('%s is %s', (text, expected) => {
  expect(withoutExponent(text)).toBe(expected);
});

test.each(['1e65', '5e-324', '1.5e-30', '1e999'])(
  '%s, which does not fit into a decimal, stays unchanged',
  (text) => {
    expect(withoutExponent(text)).toBe(text);
  },
);

test('the value stays the same', () => {
  const digits = (minLength: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength: 12 });
  const parts = [fc.constantFrom('', '-'), digits(1), digits(0), fc.integer({ min: -18, max: 40 })];
  fc.assert(
    fc.property(fc.tuple(...parts), ([sign, whole, fraction, power]) => {
      const exact = withoutExponent(`${sign}${whole}.${fraction}e${power}`);
      expect(exact).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?$/);
      expect(canonicalNumber(exact)).toBe(canonicalNumber(`${sign}${whole}.${fraction}e${power}`));
    }),
  );
});
