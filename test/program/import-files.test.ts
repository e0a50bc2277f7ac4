/** What `rowgate import` reads: files and standard input, compressed by gzip or not. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, rowsOf, runCommand } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

let server: SampleServer;
let program: Program;
let directory = '';
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'rowgate-files-'));
  server = await startSampleServer();
  program = await server.start(['--workers', '1']);
});
afterAll(async () => {
  await program.stop();
  await server.stop();
  rmSync(directory, { recursive: true });
});

const rows = (name: string) => [{ entity: 'Shippers', rows: [{ name, phone: '1' }] }];
const document = (name: string) => JSON.stringify({ entities: rows(name) });
/** Larger than the pieces in which a file is read. */
const padded = (name: string) => `${document(name)}${' '.repeat(300_000)}`;

/** Imports a file, or standard input; returns the command's result, and how many rows of this name are stored. */
async function importOf(content: string | Uint8Array, name: string, asInput = false) {
  const file = asInput ? '-' : join(directory, 'rows.json');
  if (!asInput) writeFileSync(file, content);
  const words = ['import', file, '--url', program.base, '--progress'];
  const result = await runCommand(words, {}, asInput ? content : undefined);
  const [{ count } = { count: -1 }] = (await rowsOf(
    program,
    'Shippers.filter(p=>p.name==name).count()',
    { name },
  )) as { readonly count: number }[];
  return { ...result, count };
}

test.each([
  ['a file', document, false],
  ['standard input', document, true],
  ['a compressed file', (name: string) => gzipSync(padded(name)), false],
  ['compressed standard input', (name: string) => gzipSync(padded(name)), true],
  [
    'a file of two compressed parts',
    (name: string) =>
      Buffer.concat([gzipSync(document(name).slice(0, 20)), gzipSync(document(name).slice(20))]),
    false,
  ],
])('%s is imported', async (name, content, asInput) => {
  const { code, stdout, stderr, count } = await importOf(content(name), name, asInput);
  expect([code, count], stderr).toEqual([0, 1]);
  expect(JSON.parse(stdout)).toEqual({ imported: [{ entity: 'Shippers', rows: 1 }] });
});

test('a compressed file that is cut off is an error, and nothing is stored', async () => {
  const packed = gzipSync(document('cut'));
  const { code, stderr, count } = await importOf(packed.subarray(0, packed.length - 12), 'cut');
  expect([code, count]).toEqual([1, 0]);
  expect(stderr).toMatch(/rowgate: The file .*rows\.json cannot be read: unexpected end of file\./);
});

test('each of several errors in the values is printed', async () => {
  const wrong = [{ entity: 'Shippers', rows: [{ name: 'wrong' }, { name: 1, phone: true }] }];
  const { code, stderr, count } = await importOf(JSON.stringify({ entities: wrong }), 'wrong');
  expect([code, count]).toEqual([1, 0]);
  const type = 'takes a string (of well-formed Unicode without U+0000), but was given';
  expect(stderr.slice(stderr.indexOf('rowgate: '))).toBe(`\
rowgate: entities[0].rows[1].name: 2 values have the wrong type.
  entities[0].rows[1].name: 'name' ${type} an integer
  entities[0].rows[1].phone: 'phone' ${type} a boolean
`);
});

test('an empty standard input is refused', async () => {
  const { code, stderr } = await importOf('', 'empty', true);
  expect(code).toBe(1);
  expect(stderr).toContain('rowgate: ');
});
