/** The log of the whole program: failed requests, slow queries, the access log, levels and formats. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/free-port.js';
import { describeServers } from '../support/http-servers.js';
import {
  ask,
  type LogLine,
  post,
  type Program,
  rowsOf,
  runCommand,
  until,
} from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';
import { withClient } from '../support/embedded.js';

const [DEBUG, INFO, WARN] = [20, 30, 40];
const PROGRAM = fileURLToPath(new URL('../../dist/program/rowgate.js', import.meta.url));
let server: SampleServer;

beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.stop());

const linesOf = ({ log }: Program, requestId: string): readonly LogLine[] =>
  log.filter((line) => line['requestId'] === requestId);

const send = (program: Program, requestId: string, query: string, data?: unknown) =>
  post(program, '/execute', { query, data }, { 'x-request-id': requestId });

/** Waits until the request is logged, and whatever is logged after it. */
async function loggedOf(program: Program, requestId: string) {
  return until('it is logged', () => {
    const lines = linesOf(program, requestId);
    return lines.length > 0 ? lines : undefined;
  });
}

describeServers('the log on %s', (http) => {
  const programs: Program[] = [];
  let usual: Program;

  async function start(...flags: readonly string[]): Promise<Program> {
    const program = await server.start(['--workers', '1', '--http-server', http, ...flags]);
    programs.push(program);
    await until('it is ready', async () => (await ask(program, '/readyz')).status === 200);
    return program;
  }
  beforeAll(async () => {
    usual = await start();
  });
  afterAll(() => Promise.all(programs.map((program) => program.stop())));

  test('has one line for a request that failed because of the server, with its code and cause', async () => {
    const program = usual;
    await withClient(server.connection, (client) =>
      client.query('ALTER TABLE Shippers RENAME TO hidden'),
    );
    await send(program, 'broken', 'Shippers.map(p=>p.phone)');
    await withClient(server.connection, (client) =>
      client.query('ALTER TABLE hidden RENAME TO Shippers'),
    );
    expect(await loggedOf(program, 'broken')).toMatchObject([
      {
        level: WARN,
        event: 'request',
        method: 'POST',
        path: '/execute',
        status: 500,
        code: 'schema-mismatch',
        cause: expect.stringContaining('does not exist'),
        address: '127.0.0.1',
        durationMs: expect.any(Number),
      },
    ]);
  });

  test('has a line for a refusal, and none for other failures unless the level is debug', async () => {
    const program = await start('--rate-limit', '1', '--rate-burst', '2');
    await send(program, 'mistake', 'Nothing');
    await send(program, 'second', 'Products.count()');
    expect((await send(program, 'refused', 'Products.count()')).status).toBe(429);
    expect(await loggedOf(program, 'refused')).toMatchObject([
      { level: WARN, event: 'request', status: 429, code: 'rate-limited' },
    ]);
    expect(linesOf(program, 'mistake')).toEqual([]);
  });

  test('changes its level at a signal: debug has a line for every request', async () => {
    const program = usual;
    program.signal('SIGUSR2');
    const changes = () => program.log.filter(({ event }) => event === 'log-level');
    await until('the level has changed', () => changes().length === 1);
    await send(program, 'mistake', 'Nothing');
    await send(program, 'right', 'Products.count()');
    expect(await loggedOf(program, 'right')).toMatchObject([{ level: DEBUG, status: 200 }]);
    expect(linesOf(program, 'mistake')).toMatchObject([
      { level: DEBUG, event: 'request', status: 400, code: 'unknown-entity' },
    ]);
    const body = '{"data": {"pin": secret}}';
    const headers = { 'content-type': 'application/json' };
    const unreadable = await ask(program, '/execute', { method: 'POST', headers, body });
    expect(unreadable.json()).toMatchObject({ code: 'body-not-json' });
    await send(program, 'next', 'Products.count()');
    await loggedOf(program, 'next');
    expect(JSON.stringify(program.log)).not.toContain('secret');
    program.signal('SIGUSR2');
    await until('the level has changed again', () => changes().length === 2);
    expect(changes()).toMatchObject([
      { level: INFO, to: 'debug' },
      { level: INFO, to: 'info' },
    ]);
    await send(program, 'later', 'Products.count()');
    expect(linesOf(program, 'later')).toEqual([]);
  });

  test('has a line for every request if the access log is enabled', async () => {
    const program = await start('--access-log', 'on');
    await send(program, 'right', 'Products.count()');
    await send(program, 'mistake', 'Nothing');
    await loggedOf(program, 'mistake');
    expect(linesOf(program, 'right')).toMatchObject([
      { level: INFO, event: 'request', method: 'POST', path: '/execute', status: 200 },
    ]);
    expect(linesOf(program, 'mistake')).toMatchObject([{ level: INFO, status: 400 }]);
  });

  const slow = 'Orders.details.filter(p=>p.quantity>=n).map(p=>p.quantity).sort(p=>p.quantity)';

  test('reports slow queries with their plan, times and rows, but not the values of parameters', async () => {
    const program = await start('--slow-ms', '1');
    await send(program, 'slow', slow, { n: 1, secret: 'do not tell' });
    const line = await until('it is logged', () =>
      linesOf(program, 'slow').find(({ event }) => event === 'slow-query'),
    );
    expect(line).toMatchObject({
      level: WARN,
      outcome: 'answered',
      rows: 2400,
      totalMs: expect.any(Number),
      queueMs: expect.any(Number),
      databaseMs: expect.any(Number),
      queries: [
        { planId: expect.any(Number), expression: slow, stage: 'default', view: 'default' },
      ],
    });
    expect(JSON.stringify(program.log)).not.toMatch(/do not tell|"parameters"/);
  });

  test('reports slow rows and their slow count under the id of their request', async () => {
    const program = await start('--slow-ms', '1');
    const body = { query: slow, data: { n: 1 }, options: { count: true } };
    await post(program, '/execute', body, { 'x-request-id': 'counted' });
    await until('both are logged', () => {
      const lines = linesOf(program, 'counted').filter(({ event }) => event === 'slow-query');
      return lines.length === 2;
    });
  });

  test('reports the parameters of slow queries if that is configured', async () => {
    const program = await start('--slow-ms', '1', '--log-parameters', 'on');
    await send(program, 'slow', slow, { n: 1 });
    const line = await until('it is logged', () =>
      linesOf(program, 'slow').find(({ event }) => event === 'slow-query'),
    );
    expect(line).toMatchObject({ queries: [{ expression: slow, parameters: '{"n":1}' }] });
  });

  test('reports a slow query with large parameters without them', async () => {
    const program = await start('--slow-ms', '1', '--log-parameters', 'on');
    const { status } = await send(program, 'large', slow, { n: 1, more: 'x'.repeat(100_000) });
    expect(status).toBe(200);
    const line = await until('it is logged', () =>
      linesOf(program, 'large').find(({ event }) => event === 'slow-query'),
    );
    expect(line).toMatchObject({ queries: [{ expression: slow }] });
    expect(JSON.stringify(line)).not.toContain('xxx');
  });

  test('reports no slow query if the limit is 0', async () => {
    const program = await start('--slow-ms', '0');
    await rowsOf(program, slow, { n: 1 });
    expect(program.log.filter(({ event }) => event === 'slow-query')).toEqual([]);
  });
});

/** A server on a terminal. */
async function startOnTerminal(
  flags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = { TERM: 'xterm' },
) {
  const words = [process.execPath, PROGRAM, 'serve', '--port', '0', '--workers', '1', ...flags];
  const terminal = spawn('script', ['-qefc', `exec ${words.join(' ')}`, '/dev/null'], {
    env: { PATH: process.env['PATH'], DATABASE_URL: server.url, ...environment },
  });
  const shown = { text: '' };
  terminal.stdout.on('data', (bytes: Buffer) => (shown.text += bytes.toString()));
  await until('it listens', () => shown.text.includes('listening'));
  const pid = Number(execFileSync('pgrep', ['-P', String(terminal.pid)]).toString());
  return { terminal, shown, pid };
}

describe('the format', () => {
  test('is readable on a terminal', async () => {
    const { shown, pid } = await startOnTerminal();
    process.kill(pid, 'SIGTERM');
    await until('it has stopped', () => shown.text.includes('stopped'));
    expect(shown.text).toMatch(/INFO.*listening/);
    expect(shown.text).not.toContain('"level"');
  });

  test.each([
    [true, { TERM: 'xterm' }],
    [false, { TERM: 'xterm', NO_COLOR: '1' }],
    [false, { TERM: 'dumb' }],
  ])('has colours on a terminal: %s with %o', async (isColored, environment) => {
    const { terminal, shown } = await startOnTerminal([], environment);
    terminal.kill('SIGKILL');
    expect(shown.text.includes('\u001b[')).toBe(isColored);
  });

  test('contains no control characters of requests on a terminal', async () => {
    const { shown, pid } = await startOnTerminal(['--slow-ms', '1']);
    const base = await until(
      'the address is shown',
      () => /Ready: (.*)\/console/.exec(shown.text)?.[1],
    );
    const query = 'Orders.details.filter(p=>p.order.name!="\u001b[2J\u009b2J\u202e")';
    const headers = { 'content-type': 'application/json' };
    await fetch(`${base}/execute`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    await until('the query is shown', () => shown.text.includes('Orders.details'));
    process.kill(pid, 'SIGTERM');
    await until('it has stopped', () => shown.text.includes('stopped'));
    expect(shown.text).toContain(String.raw`\u001b[2J\u009b2J\u202e`);
    expect(shown.text).not.toMatch(/\u009b|\u202e/);
  });

  test('is readable elsewhere if that is configured', async () => {
    const wrong = await runCommand(['serve', '--log-format', 'colourful']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('auto, json, pretty')]);
  });
});

describe('without a destination for the log', () => {
  test('the program ends if its terminal is closed', async () => {
    const { terminal, pid } = await startOnTerminal();
    terminal.kill('SIGKILL');
    await until('the program has ended', () => !isRunning(pid));
  });

  test('the program serves, and stops on a signal', async () => {
    const port = await freePort();
    const full = openSync('/dev/full', 'w');
    const words = [PROGRAM, 'serve', '--port', String(port), '--workers', '1'];
    const child = spawn(process.execPath, words, {
      env: { ...process.env, DATABASE_URL: server.url },
      stdio: ['ignore', full, 'inherit'],
    });
    closeSync(full);
    const answers = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until('it serves', answers);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
