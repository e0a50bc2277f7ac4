/** docs/functions.md matches the function table. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { functionPage } from '../../../src/engine/describe/function-page.js';
import { functionNames } from '../../../src/engine/query/functions/table.js';

test('docs/functions.md is what scripts/write-function-docs.mjs writes', () => {
  const page = readFileSync(new URL('../../../docs/functions.md', import.meta.url), 'utf8');
  expect(page).toBe(functionPage());
});

test('no name belongs to two functions', () => {
  expect(new Set(functionNames).size).toBe(functionNames.length);
});
