import { expect, test } from 'vitest';
import { scalarEncoder } from '../../../src/engine/values/scalar-json.js';

test.each([
  ['1', 'true'],
  ['0', 'false'],
  ['2', 'false'],
  ['-1', 'false'],
  ['127', 'false'],
  ['t', 'true'],
  ['f', 'false'],
])('a boolean that is stored as %s is %s', (stored, json) => {
  expect(scalarEncoder('boolean')(stored)).toBe(json);
});
