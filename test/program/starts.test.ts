/** A start loads only the packages that it needs: loading all of them would take most of its time. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf, runCommand, startProgram } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

const preload = new URL('../support/list-imports.mjs', import.meta.url);

let server: SampleServer;
beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.stop());

type Environment = Readonly<Record<string, string>>;

/** Runs the program with the environment, and returns the packages that its threads have imported. */
async function packagesOf(
  run: (environment: Environment) => Promise<unknown>,
): Promise<readonly string[]> {
  const file = server.write('imports', '');
  await run({ NODE_OPTIONS: `--import ${preload.href}`, IMPORTS_FILE: file });
  return [...new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean))].sort();
}

test.each(['--version', '--help', 'query --help'])('rowgate %s loads no package', async (line) => {
  const run = (environment: Environment) => runCommand(line.split(' '), environment);
  expect(await packagesOf(run)).toEqual([]);
});

test('a query to a running gateway loads only the HTTP client of Node.js', async () => {
  const program = await server.start();
  const words = ['query', 'Categories.first(p=>p.id)', '--url', program.base];
  const packages = await packagesOf(async (environment) => {
    expect(await runCommand(words, environment)).toMatchObject({ code: 0 });
  });
  await program.stop();
  expect(packages).toEqual(['undici']);
});

test('a server with a PostgreSQL source loads neither other drivers nor what no option needs', async () => {
  const packages = await packagesOf(async (environment) => {
    const program = await startProgram([], { ...environment, DATABASE_URL: server.url });
    expect(await rowsOf(program, 'Categories.take(1)')).toHaveLength(1);
    expect(await program.stop()).toBe(0);
  });
  // It does not load on every platform.
  expect(packages.filter((each) => each !== 'uWebSockets.js')).toEqual([
    'fast-json-stringify/lib/serializer.js',
    'lossless-json',
    'lru-cache',
    'pg',
    'pino',
    'piscina',
  ]);
});
