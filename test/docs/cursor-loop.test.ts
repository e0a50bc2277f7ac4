/** Runs the program of docs/http.md that reads all pages. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';
import { type Program, rowsOf } from '../support/program.js';
import { blockOf } from './blocks.js';

let server: SampleServer;
let program: Program;
beforeAll(async () => {
  server = await startSampleServer();
  program = await server.start(['--workers', '1']);
});
afterAll(async () => {
  await program.stop();
  await server.stop();
});

test('the loop reads all pages, in order', async () => {
  const code = blockOf('docs/http.md', 'const query');
  const own = code.replace('http://127.0.0.1:9291', program.base);
  expect(own).not.toBe(code);
  const words = ['--input-type=module', '--eval', own];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  const all = (await rowsOf(program, 'Products.map(p=>[p.name]).sort(p=>p.name)')) as {
    readonly name: string;
  }[];
  const [first, last] = [all[0]?.name ?? '', all.at(-1)?.name ?? ''];
  expect(stdout).toBe(`${all.length} products, from ${first} to ${last}\n`);
  expect(all.length).toBeGreaterThan(60);
});
