/** Signals that the program gets before it serves: none of them is lost, or kills it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
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
  const events: unknown[] = [];
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  lines.on('line', (line) => events.push(JSON.parse(line).event));
  await asked;
  child.kill('SIGHUP');
  answer();
  await expect.poll(() => events).toContain('reloaded');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

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
  const { PATH = '', HOME = '' } = process.env;
  const words = [
    'serve',
    '--url',
    `postgresql://${user}@127.0.0.1:${near}/${database}`,
    '--port',
    '0',
  ];
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, ...words, '--workers', '1'], {
    cwd: '/',
    env: { PATH, HOME },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    silent.close();
  });
  return { child, asked, answer };
}
