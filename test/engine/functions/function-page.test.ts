/** docs/functions.md matches the function table; `UPDATE_DOCS=1` writes it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { functionNames } from '../../../src/engine/query/functions/table.js';
import { functionPage } from '../../docs/function-page.js';

const file = new URL('../../../docs/functions.md', import.meta.url);
if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, functionPage());

test('docs/functions.md lists the functions of the table', () => {
  expect(readFileSync(file, 'utf8')).toBe(functionPage());
});

test('no name belongs to two functions', () => {
  expect(new Set(functionNames).size).toBe(functionNames.length);
});
