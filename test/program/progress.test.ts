/** The progress that `push`, `import` and `export` show on a terminal while they run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  createThrowawayDatabase,
  makeTemporaryDirectory,
  type ThrowawayDatabase,
} from '../support/embedded.js';
import { runCommand, until } from '../support/program.js';
import { connectionUrl } from '../support/sample.js';
import { startSampleServer } from '../support/sample-program.js';

const rowgate = fileURLToPath(new URL('../../dist/program/rowgate.js', import.meta.url));
const folder = makeTemporaryDirectory();
/** An import of these takes several seconds. */
const ROWS = 500_000;
const PIECE_BYTES = 1000;
let database: ThrowawayDatabase;
let environment: Readonly<Record<string, string>>;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  environment = { DATABASE_URL: connectionUrl(database.connection) };
});
afterAll(() => database.drop());

/** Runs a command on a terminal of its own. */
function startOnTerminal(words: string) {
  const line = `"${process.execPath}" "${rowgate}" ${words}`;
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, TERM: 'xterm', NO_COLOR: '1', ...environment };
  const child = spawn('script', ['-qefc', line, '/dev/null'], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let shown = '';
  child.stdout.on('data', (bytes: Buffer) => (shown += bytes.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as unknown, shown }));
  return { shown: () => shown, ended };
}

test('push counts its steps', async () => {
  const plan = await runCommand(['push', '--dry-run'], environment);
  const { code, shown } = await startOnTerminal('push').ended;
  const counts = [...shown.matchAll(/^\[(\d+)\/(\d+)\] /gm)].map(([, done, total]) => [
    done,
    total,
  ]);
  expect(code).toBe(0);
  expect(counts.length).toBeGreaterThan(8);
  expect(counts).toEqual(counts.map((_, index) => [`${index + 1}`, `${counts.length}`]));
  // Nowhere else.
  expect(plan.stdout).not.toMatch(/^\[/m);
});

test('import shows bytes and the time left, in one line', async () => {
  const rows = Array.from({ length: ROWS }, (_, n) => ({ name: `Carrier ${n}`, phone: `${n}` }));
  const file = join(folder, 'rows.json');
  writeFileSync(file, JSON.stringify({ entities: [{ entity: 'Shippers', rows }] }));
  const { code, shown } = await startOnTerminal(`import ${file}`).ended;
  const reports = shown.split('\r').filter((line) => line.includes(' bytes'));
  expect(code).toBe(0);
  expect(reports.length).toBeGreaterThan(1);
  const format = /^[\d,]+ of [\d,]+ bytes \((\d+) %\)/;
  expect(reports.filter((line) => !format.test(line))).toEqual([]);
  expect(reports[0]).toMatch(/, \d+ s left\u001b\[K$/);
  expect(reports.at(-1)).toMatch(/\(100 %\); storing\u001b\[K$/);
  const stored = await runCommand(['query', 'Shippers.count()', '--compact'], environment);
  expect(stored.stdout).toBe(`[{"count":${ROWS}}]\n`);
});

test('export to a file shows bytes before its end, in one line', async () => {
  const sample = await startSampleServer();
  const program = await sample.start(['--workers', '1']);
  onTestFinished(async () => {
    slow.close();
    await program.stop();
    await sample.stop();
  });
  const file = join(folder, 'export.json');
  // Sends the answer of the gateway in small pieces until the progress is shown.
  const send = async (url: string, response: ServerResponse) => {
    const answer = Buffer.from(await (await fetch(program.base + url)).arrayBuffer());
    let at = 0;
    await until('progress is shown', () => {
      response.write(answer.subarray(at, (at += PIECE_BYTES)));
      return terminal.shown().includes(' bytes');
    });
    response.end(answer.subarray(at));
  };
  const slow = createServer(({ url = '' }, response) => {
    send(url, response).catch(() => response.destroy());
  });
  slow.listen(0, '127.0.0.1');
  await once(slow, 'listening');
  const { port } = slow.address() as AddressInfo;
  const words = `export ${file} --stage default --url http://127.0.0.1:${port}`;
  const terminal = startOnTerminal(words);
  const { code, shown } = await terminal.ended;

  const reports = shown.split('\r').filter((line) => line.includes(' bytes'));
  expect(code).toBe(0);
  expect(reports.length).toBeGreaterThan(1);
  expect(reports.filter((line) => !/^[\d,]+ bytes\u001b\[K/.test(line))).toEqual([]);
  const size = readFileSync(file).byteLength;
  expect(reports.at(-1)).toContain(`${size.toLocaleString('en')} bytes`);
});
