/** A clone as npm runs it: builds at the same time, and signals to `npm start` and `npx rowgate`. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { blockOf } from '../docs/blocks.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const clone = makeTemporaryDirectory();
const folders = ['src', 'clients', 'scripts', 'schemas'];
const { PATH = '', HOME = '' } = process.env;
let environment: Readonly<Record<string, string>>;
let server: SampleServer;

beforeAll(async () => {
  server = await startSampleServer();
  environment = { PATH, HOME, DATABASE_URL: server.url, ROWGATE_WORKERS: '1' };
  for (const name of ['package.json', 'package-lock.json', 'tsconfig.base.json', ...folders]) {
    cpSync(join(repository, name), join(clone, name), { recursive: true });
  }
  symlinkSync(join(repository, 'node_modules'), join(clone, 'node_modules'));
});
afterAll(() => server.stop());

test('two commands in a new clone build it one after the other', async () => {
  const version = () =>
    run('npm', ['run', '--silent', 'rowgate', '--', '--version'], {
      cwd: clone,
      env: environment,
    });
  const outputs = await Promise.all([version(), version()]);
  expect(outputs.map(({ stdout }) => stdout)).toEqual([
    expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    outputs[0].stdout,
  ]);
});

const [install = '', start = ''] = blockOf('README.md', 'npm ci').split('\n');

test('.ci/run installs the dependencies by the command that README.md shows', () => {
  expect(readFileSync(join(repository, '.ci/run'), 'utf8')).toContain(`step 300 ${install} `);
});

test.each(['SIGTERM', 'SIGINT'] as const)(`%s to \`${start}\` ends the server`, async (signal) => {
  const { child, port } = await started(`${start} -- --port 0`, clone);
  expect(await endedBy(child, signal, port)).toBe(true);
});

test('a server finds its files after later builds, and the package has only new ones', async () => {
  const folder = join(clone, 'dist/program');
  const { child, port } = await started(`${start} -- --port 0`, clone);
  const first = readdirSync(folder);
  await build('another error');
  await build('one more error');
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(first));
  const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect([metrics.status, await metrics.text()]).toEqual([
    200,
    expect.stringContaining('Whether the source answers'),
  ]);
  child.kill('SIGTERM');
  await run(process.execPath, ['scripts/remove-old-program.mjs'], { cwd: clone });
  const last = JSON.parse(readFileSync(join(clone, 'dist/program-files.json'), 'utf8'));
  expect(readdirSync(folder)).toEqual(last);
});

/** Builds the clone with other texts of the workers and the metrics. */
async function build(text: string): Promise<void> {
  for (const file of ['src/workers/problems.ts', 'src/gateway/observe-metrics.ts']) {
    const path = join(clone, file);
    const code = readFileSync(join(repository, file), 'utf8');
    writeFileSync(path, code.replace(/an error in|Whether the source/, text));
  }
  await run('npm', ['run', '--silent', 'build'], { cwd: clone, env: environment });
}

test('the command of docs/configuration.md serves the database at an address', async () => {
  const line = blockOf('docs/configuration.md', 'DATABASE_URL=');
  const [, variable = '', command = ''] = /^(\w+)=postgresql:\S+ (.*)$/.exec(line) ?? [];
  const { DATABASE_URL: _, ...others } = environment;
  // The embedded database would not start in such a folder.
  const own = { ...others, [variable]: server.url, ROWGATE_DATA_DIR: '/dev/null/data' };
  const { child, port } = await started(`${command} -- --port 0`, clone, own);
  expect(await endedBy(child, 'SIGTERM', port)).toBe(true);
});

test('SIGTERM to `npx rowgate` ends the server', async () => {
  const folder = makeTemporaryDirectory();
  const bin = join(folder, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  const program = join(repository, 'dist/program/rowgate.js');
  chmodSync(program, 0o755);
  symlinkSync(program, join(bin, 'rowgate'));
  const line = 'npx --no-install rowgate serve --port 0';
  const { child, port } = await started(line, folder);
  expect(await endedBy(child, 'SIGTERM', port)).toBe(true);
});

/** Starts a server by a command, and waits until it listens. */
async function started(line: string, cwd: string, env = environment) {
  const [command = '', ...words] = line.split(' ');
  const child = spawn(command, words, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const logged of createInterface({ input: child.stdout })) {
    const { event, port } = logged.startsWith('{') ? JSON.parse(logged) : {};
    if (event !== 'listening') continue;
    child.stdout.resume();
    return { child, port: Number(port) };
  }
  throw new Error(`${line} ended before the server listened.`);
}

/** Whether the end of the command, which the signal causes, is the end of the server. */
async function endedBy(child: ChildProcess, signal: NodeJS.Signals, port: number) {
  // The output ends when the last process that writes to it has ended.
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
  return fetch(`http://127.0.0.1:${port}/livez`).then(
    () => false,
    () => true,
  );
}
