/** The rate of a key or token. */
import { expect, test } from 'vitest';
import { createPrincipal } from '../../src/gateway/access/principal.js';
import { createLimits } from '../../src/gateway/access/rates.js';

const parts = {
  name: 'token:a',
  counts: { requests: 0, refused: 0, rows: 0 },
  trustedUntil: Infinity,
};

test('a name has one rate, which changes with its token', () => {
  const admit = createLimits();
  const ask = (rate: number) => admit(createPrincipal(parts, { rate }));
  expect(ask(0.001).problem).toBeUndefined();
  expect(ask(0.001).headers).toContainEqual(['retry-after', '1000']);
  // No longer than with an empty burst.
  expect(ask(10).headers).toContainEqual(['retry-after', '1']);
});
