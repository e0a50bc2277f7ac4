/** JSON in CSV. */
import { expect, test } from 'vitest';
import { OutputBytes, type StatementPlan } from '../../../src/engine/index.js';
import { createCsvWriter } from '../../../src/engine/result/csv-writer.js';
import { decode, rowBytes } from '../byte-rows.js';

const statement: StatementPlan = {
  entity: 'E',
  alias: 'e',
  position: { ln: 0, col: 0 },
  clause: 'select',
  source: 'default',
  dialect: 'PostgreSQL',
  text: '',
  columns: [{ name: 'x', type: 'json', role: 'value' }],
  parameters: [],
  arguments: [],
  includes: [],
};
const cipher = { encrypt: (text: string) => text, decrypt: (text: string) => text };

test.each([
  ['null', ''],
  ['"null"', 'null'],
  ['true', 'true'],
  ['[1]', '[1]'],
  ['', '""'],
  ['"\\ud83d\\ude00"', '😀'],
  // UTF-8 does not have half a surrogate pair.
  ['"a\\ud800"', '"""a\\ud800"""'],
  // Texts that are no JSON.
  ['none', 'none'],
  ['nullable', 'nullable'],
  ['nul', 'nul'],
  ['"n', '"""n"'],
])('%j is the field %s', (stored, field) => {
  const out = new OutputBytes(64);
  const rows = rowBytes([[stored]]);
  createCsvWriter(statement, decode, cipher).row(out, { rows, includes: [] }, 0);
  expect(decode(out.bytes, 0, out.length)).toBe(`${field}\r\n`);
});
