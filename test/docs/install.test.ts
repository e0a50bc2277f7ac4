/** Installs the packed packages into empty folders, and follows the start of docs/client.md there. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import type { Program } from '../support/program.js';
import { type Registry, startRegistry } from '../support/registry.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';
import { blockOf } from './blocks.js';
import { typeScriptIn } from './typescript-examples.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(repository, 'docs/client.md'), 'utf8');
const packed = makeTemporaryDirectory();
const { PATH = '', HOME = '' } = process.env;
let registry: Registry;
let environment: Readonly<Record<string, string>>;
let sample: SampleServer;
let program: Program;

beforeAll(async () => {
  for (const folder of ['.', 'clients/typescript']) {
    const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', packed];
    execFileSync('npm', words, { cwd: join(repository, folder), stdio: 'ignore' });
  }
  registry = await startRegistry([
    join(packed, 'rowgate-0.1.0.tgz'),
    join(packed, 'rowgate-client-0.1.0.tgz'),
  ]);
  sample = await startSampleServer();
  program = await sample.start(['--workers', '1']);
  environment = {
    ...{ PATH, HOME, DATABASE_URL: sample.url },
    // The cache of the user would contain other archives of the same versions.
    ...{ npm_config_registry: registry.url, npm_config_cache: join(packed, 'cache') },
    ...{ npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false' },
  };
});
afterAll(async () => {
  await program.stop();
  await sample.stop();
  await registry.stop();
  rmSync(packed, { recursive: true, force: true });
});

/** Runs lines of a shell in a folder, as the page shows them. */
async function shell(lines: string, cwd: string): Promise<string> {
  const own = lines
    .replaceAll('http://127.0.0.1:9291', program.base)
    .replaceAll('FOLDER', repository.replace(/\/$/, ''));
  const script = ['-e', '-c', own];
  return (await promisify(execFile)('/bin/sh', script, { cwd, env: environment })).stdout;
}

/** The program of the page. */
function writeProgram(folder: string): void {
  const [first] = typeScriptIn(page);
  const code = (first?.code ?? '').replace('http://127.0.0.1:9291', program.base);
  writeFileSync(join(folder, 'program.ts'), code);
}

/** The rows that the program prints after the output of npm. */
const printedRows = (output: string) => JSON.parse(output.slice(output.search(/^\[$/m)));

const checkout = blockOf('docs/client.md', 'npm install FOLDER');
const run = blockOf('docs/client.md', 'npm install --save-dev typescript');
const install = blockOf('docs/client.md', 'npm install @rowgate/client');

test('the packages are installed by npm into an empty folder, and npx serves and answers', async () => {
  const folder = makeTemporaryDirectory();
  await shell(`npm init -y && npm install rowgate && ${install}`, folder);
  expect(await shell('npx rowgate --version', folder)).toMatch(/^\d+\.\d+\.\d+\n$/);
  writeProgram(folder);
  const orders = printedRows(await shell(run, folder));
  expect(orders.length).toBeGreaterThan(5);
  expect(orders[0].details.length).toBeGreaterThan(0);

  const child = spawn('npx', ['rowgate', 'serve', '--port', '0', '--workers', '1'], {
    ...{ cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'inherit'] },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) {
    const { event, port } = JSON.parse(line);
    if (event !== 'listening') continue;
    const query = JSON.stringify({ query: 'Shippers.count()' });
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: query };
    const answer = await fetch(`http://127.0.0.1:${String(port)}/execute`, init);
    expect(await answer.json()).toEqual([{ count: 4 }]);
    child.kill('SIGTERM');
    break;
  }
  await once(child, 'close');
});

test('the other pages install the client from a checkout in the same way', () => {
  expect(blockOf('clients/typescript/README.md', 'npm install FOLDER')).toBe(checkout);
  expect(blockOf('docs/your-database.md', 'npm install FOLDER')).toBe(checkout);
});

test('the client works from a checkout', async () => {
  const folder = makeTemporaryDirectory();
  await shell(`npm init -y && ${checkout}`, folder);
  expect(existsSync(join(folder, 'domain.ts'))).toBe(true);
  writeProgram(folder);
  const orders = printedRows(await shell(run, folder));
  expect(orders.length).toBeGreaterThan(5);
});
