/** Signals that the program gets before it serves: none of them is lost, or kills it. */
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

const PROGRAM = fileURLToPath(new URL('../../dist/program/rowgate.js', import.meta.url));
let server: SampleServer;
beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.stop());

test.each(['SIGTERM', 'SIGINT'] as const)(
  'ends in order at %s, although its database is silent',
  async (signal) => {
    const { child, asked } = await startWaiting();
    await asked;
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
  },
);

test('a SIGHUP reloads the schema after the start', async () => {
  const { child, asked, answer } = await startWaiting();
  const reloaded = firstEvent(child, 'reloaded');
  await asked;
  child.kill('SIGHUP');
  answer();
  await reloaded;
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('SIGTERM during the start leaves the embedded database time to stop in order', async () => {
  const folder = makeTemporaryDirectory();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const child = startServe(['--data-dir', join(folder, 'data')]);
  const ended = once(child, 'exit');
  const preparing = firstEvent(child, 'prepared');
  const session = await openSession(join(folder, 'data'));
  await preparing;
  // The server waits for the session, longer than a start that is cut off.
  process.kill(session, 'SIGSTOP');
  child.kill('SIGTERM');
  await Promise.race([ended, sleep(4000)]);
  process.kill(session, 'SIGCONT');
  expect(child.exitCode).toBeNull();
  expect(await ended).toEqual([0, null]);
});

test('Ctrl-C while the embedded database is created ends in order', async () => {
  const folder = makeTemporaryDirectory();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const data = join(folder, 'data');
  // A process group, as a terminal has one for each command.
  const child = startServe(['--data-dir', data], { detached: true });
  const making = join(data, `cluster.making.${child.pid}`, 'PG_VERSION');
  await expect.poll(() => existsSync(making), { interval: 5 }).toBe(true);
  process.kill(-(child.pid ?? 0), 'SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

/** Connects to an embedded database as soon as it is ready, and resolves to the pid of the session. */
async function openSession(dataDirectory: string): Promise<number> {
  const file = join(dataDirectory, 'cluster', 'postmaster.pid');
  const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
  await expect.poll(() => lines()[7]).toMatch(/^ready/);
  const [, , , port, host] = lines();
  const client = new pg.Client({ host, port: Number(port), user: 'rowgate', database: 'postgres' });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  return rows[0].pid;
}

/** Starts the program on a database that does not answer before `answer` is called. */
async function startWaiting() {
  let answer = (): void => undefined;
  const answering = new Promise<void>((resolve) => (answer = resolve));
  const { host, port, user, database } = server.connection;
  const silent = createServer((near: Socket) => {
    const ignore = () => undefined;
    near.on('error', ignore);
    void answering.then(() => {
      const far = connect(`${host}/.s.PGSQL.${port}`).on('error', ignore);
      near.pipe(far).pipe(near);
    });
  });
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port: near } = silent.address() as AddressInfo;
  const asked = once(silent, 'connection');
  const child = startServe(['--url', `postgresql://${user}@127.0.0.1:${near}/${database}`]);
  onTestFinished(() => void silent.close());
  return { child, asked, answer };
}

/** Starts the program with a port of its own. */
function startServe(flags: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  const words = [PROGRAM, 'serve', ...flags, '--port', '0', '--workers', '1'];
  const child = spawn(process.execPath, words, {
    cwd: '/',
    env: { PATH, HOME },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Resolves when the log of the program has the event. */
function firstEvent({ stdout }: ChildProcess, event: string): Promise<void> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: stdout ?? process.stdin });
    lines.on('line', (line) => JSON.parse(line).event === event && resolve());
  });
}
