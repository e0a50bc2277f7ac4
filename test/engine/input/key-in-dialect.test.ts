/** Keys of an include whose rows are in a database of another dialect. */
import { expect, test } from 'vitest';
import { keyInDialect } from '../../../src/engine/input/key-in-dialect.js';

const most = '18446744073709551615';

test.each([
  ['integer', most],
  ['uuid', 'none'],
  ['string', 'a\0b'],
] as const)('of %s, only PostgreSQL cannot have %j', (type, text) => {
  expect(keyInDialect('PostgreSQL', type, text)).toBeUndefined();
  expect(keyInDialect('MariaDB', type, text)).toBe(text);
  expect(keyInDialect('MySQL', type, text)).toBe(text);
});
