/** The client's list of error codes. `UPDATE_GOLDEN=1` writes it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorTable } from '../../src/gateway/errors.js';

const file = new URL('../../clients/typescript/src/error-codes.ts', import.meta.url);

test('the error codes of the client are those of the gateway', () => {
  const text = [
    '/** The error codes (docs/errors.md). A newer gateway may have more. */',
    'export type ErrorCode =',
    ...Object.keys(errorTable).map((code) => `  | '${code}'`),
    '  | (string & {});\n',
  ].join('\n');
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
});
