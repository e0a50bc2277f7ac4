/**
 * The package as other programs use it: packed, unpacked into a separate project, and imported by the
 * examples of docs/library.md.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { blockOf } from '../docs/blocks.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const folder = makeTemporaryDirectory();
let sample: SampleServer;

beforeAll(async () => {
  sample = await startSampleServer();
  installPackage();
  cpSync(join(repository, 'schemas/northwind.yaml'), join(folder, 'shop.yaml'));
});

afterAll(async () => {
  await sample.stop();
  rmSync(folder, { recursive: true, force: true });
});

const orders = {
  query: 'Orders.filter(p=>p.customerId==id).map(p=>[p.id, p.freight]).sort(p=>p.id)',
  data: { id: 'BQWJR' },
};

test('a server on node:http answers through the gateway and by itself', async () => {
  const server = await startExample(blockOf('docs/library.md', 'import { createServer }'));
  expect(await (await fetch(server.base)).text()).toBe('Hello');
  const entities = await (await fetch(`${server.base}/data/entities`)).json();
  expect(entities).toContainEqual(expect.objectContaining({ name: 'Orders' }));
  const answer = await post(`${server.base}/data/execute`, {
    query: 'Shippers',
  });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toHaveLength(4);
  expect((await fetch(`${server.base}/data/console`)).status).toBe(404);
  expect(await server.stop()).toBe(0);
});

test('a server on Fastify answers through the gateway and with its own queries', async () => {
  const server = await startExample(blockOf('docs/library.md', 'import Fastify'));
  const answer = await post(`${server.base}/data/execute`, orders);
  const rows: unknown = await answer.json();
  expect(rows).toContainEqual({ id: 104, freight: 333.81 });
  const own = await fetch(`${server.base}/customers/BQWJR/orders`);
  expect(await own.json()).toEqual(rows);
  const refused = await fetch(`${server.base}/customers/%00/orders`);
  // As docs/library.md says: without type, title, status and requestId.
  const problem = { code: 'parameter-type', detail: expect.any(String), place: 'data.id' };
  expect([refused.status, await refused.json()]).toEqual([400, problem]);
  const wrong = await post(`${server.base}/data/execute`, { query: 'Orders.map(p=>p.weight)' });
  expect(await wrong.json()).toMatchObject({ status: 400, code: 'unknown-property' });
  await server.stop();
});

test('a failed query rejects with its code, status and position', async () => {
  const printed = await runScript(`
    import { createGateway, QueryError } from 'rowgate';
    const gateway = await createGateway({ schema: 'shop.yaml', environment: process.env, workers: 1 });
    const error = await gateway.execute({ query: 'Orders.map(p=>p.weight)' }).catch((each) => each);
    console.log(error instanceof QueryError, error.status, error.problem.code, error.problem.position);
    const late = gateway.close();
    console.log((await gateway.execute({ query: 'Orders' }).catch((each) => each)).problem.code);
    await late;
  `);
  expect(printed).toBe('true 400 unknown-property { ln: 1, col: 17 }\ndraining\n');
});

test('data that JSON cannot express rejects with a TypeError', async () => {
  const printed = await runScript(`
    import { createGateway } from 'rowgate';
    const gateway = await createGateway({ schema: 'shop.yaml', environment: process.env, workers: 1 });
    const cycle = {};
    cycle.id = cycle;
    for (const data of [{ id: 1n }, cycle]) {
      const error = await gateway.execute({ query: 'Orders.filter(p=>p.id==id)', data }).catch((each) => each);
      console.log(error.name);
    }
    await gateway.close();
  `);
  expect(printed).toBe('TypeError\nTypeError\n');
});

test('a large answer arrives complete, and a write is stored', async () => {
  const printed = await runScript(`
    import { createGateway } from 'rowgate';
    const gateway = await createGateway({
      schema: 'shop.yaml', environment: process.env, workers: 1, streamWindowBytes: 4096,
    });
    const rows = await gateway.execute({ query: 'Orders.include(p=>p.details).sort(p=>p.id)' });
    console.log(rows.length, rows.every((row) => row.details.length > 0));
    const query = 'Shippers.update({phone: phone}).filter(p=>p.id==id)';
    console.log(await gateway.execute({ query, data: { id: 1, phone: '555-0142' } }));
    const stored = await gateway.execute({ query: 'Shippers.filter(p=>p.id==1).map(p=>p.phone)' });
    console.log(JSON.stringify(stored));
    await gateway.close();
  `);
  expect(printed).toBe('900 true\n1\n[{"phone":"555-0142"}]\n');
});

test('close waits for the queries that the program has begun', async () => {
  const printed = await runScript(`
    import { createGateway } from 'rowgate';
    const gateway = await createGateway({ schema: 'shop.yaml', environment: process.env, workers: 1 });
    const begun = gateway.execute({ query: 'Orders.include(p=>p.details).sort(p=>p.id)' });
    await gateway.close();
    console.log((await begun).length);
    const late = await gateway.execute({ query: 'Shippers' }).catch((each) => each);
    console.log(late.problem.code);
  `);
  expect(printed).toBe('900\ndraining\n');
});

test('close ends while the program goes on sending queries', async () => {
  const printed = await runScript(`
    import { createGateway } from 'rowgate';
    const gateway = await createGateway({ schema: 'shop.yaml', environment: process.env, workers: 1 });
    const codes = new Set();
    const send = () => gateway.execute({ query: 'Shippers' }).then(send, (error) => codes.add(error.problem.code));
    for (let sender = 0; sender < 4; sender += 1) void send();
    await gateway.execute({ query: 'Shippers' });
    const start = performance.now();
    await gateway.close();
    console.log(performance.now() - start < 5000, ...codes);
  `);
  expect(printed).toBe('true draining\n');
});

test('a body that has already been read and an unknown option are errors that say so', async () => {
  const printed = await runScript(`
    import { createServer } from 'node:http';
    import { createGateway } from 'rowgate';
    console.log((await createGateway({ worker: 1 }).catch((each) => each)).message);
    console.log((await createGateway({ workers: 0 }).catch((each) => each)).message);
    const gateway = await createGateway({ schema: 'shop.yaml', environment: process.env, workers: 1 });
    const server = createServer(async (request, response) => {
      for await (const chunk of request) void chunk;
      try {
        gateway.handle(request, response);
      } catch (error) {
        response.end(error.message);
      }
    });
    server.listen(0, '127.0.0.1', async () => {
      const url = 'http://127.0.0.1:' + server.address().port + '/execute';
      console.log(await (await fetch(url, { method: 'POST', body: '{}' })).text());
      server.close();
      await gateway.close();
    });
  `);
  expect(printed.split('\n')).toEqual([
    "unknown option worker. Did you mean 'workers'?",
    'workers: expected a whole number from 1 to 64, got "0"',
    'The body of this request has already been read: call gateway.handle before any body parser.',
    '',
  ]);
});

test('a client that left before handle is called holds nothing', async () => {
  const printed = await runScript(`
    import { createServer, request as send } from 'node:http';
    import { once } from 'node:events';
    import { createGateway } from 'rowgate';
    const gateway = await createGateway({ schema: 'shop.yaml', environment: process.env, workers: 1 });
    const server = createServer(async (request, response) => {
      sent.destroy();
      await once(response, 'close');
      gateway.handle(request, response);
      const start = performance.now();
      await gateway.close();
      console.log(performance.now() - start < 5000);
      server.close();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const sent = send({ port: server.address().port, path: '/entities' });
    sent.on('error', () => undefined).end();
  `);
  expect(printed).toBe('true\n');
});

test('handle needs a key and execute does not, but both execute only known queries', async () => {
  const printed = await runScript(`
    import { createHash } from 'node:crypto';
    import { writeFileSync } from 'node:fs';
    import { createServer } from 'node:http';
    import { createGateway } from 'rowgate';
    const digest = (text) => createHash('sha256').update(text).digest('hex');
    const query = 'Shippers.count()';
    writeFileSync('keys.json', JSON.stringify({ keys: [{ name: 'a', hash: digest('secret') }] }));
    writeFileSync('queries.json', JSON.stringify({ queries: { [digest(query)]: query } }));
    const gateway = await createGateway({
      schema: 'shop.yaml', environment: process.env, workers: 1,
      keysFile: 'keys.json', queriesFile: 'queries.json',
    });
    const server = createServer(gateway.handle);
    server.listen(0, '127.0.0.1', async () => {
      const url = 'http://127.0.0.1:' + server.address().port + '/execute';
      const status = async (authorization, query) => {
        const headers = { authorization, 'content-type': 'application/json' };
        return (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) })).status;
      };
      console.log(await status('', query), await status('Bearer secret', query));
      console.log(await status('Bearer secret', 'Shippers'));
      console.log(JSON.stringify(await gateway.execute({ query })));
      console.log((await gateway.execute({ query: 'Shippers' }).catch((each) => each)).problem.code);
      server.close();
      await gateway.close();
    });
  `);
  expect(printed).toBe('401 200\n403\n[{"count":4}]\nquery-not-allowed\n');
});

test('the compiler prints what the document shows', async () => {
  const printed = await runScript(blockOf('docs/library.md', 'import { compile,'));
  expect(printed).toBe(`${blockOf('docs/library.md', 'SELECT c.id')}\n`);
});

test('the types of both entry points fit their use', () => {
  writeFileSync(
    join(folder, 'use.mts'),
    `import { createGateway, type EmbeddedGateway, QueryError } from 'rowgate';
import { compile, type CompiledQuery, createCatalog, EngineError, loadSchema } from 'rowgate/engine';

export const gateway: EmbeddedGateway = await createGateway({ workers: 2, compression: true });
export const rows: unknown = await gateway.execute({ query: 'Orders', options: { stage: 'default' } });
export const plan: CompiledQuery = compile(createCatalog(loadSchema({})), { expression: 'Orders' });
export const statusOf = (error: unknown): number => (error instanceof QueryError ? error.status : 0);
export const codeOf = (error: unknown): string => (error instanceof EngineError ? error.code : '');
// @ts-expect-error: only a server has this option, not a gateway within another program.
await createGateway({ port: 3000 });
`,
  );
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023'];
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  const words = [compiler, ...options, 'use.mts'];
  const { stdout } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
  expect(stdout).toBe('');
});

/** Packs the package, and unpacks it into `node_modules` beside links to its dependencies. */
function installPackage(): void {
  const modules = join(folder, 'node_modules');
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const file = execFileSync('npm', pack, { cwd: repository, encoding: 'utf8' }).trim();
  mkdirSync(modules);
  for (const name of readdirSync(join(repository, 'node_modules'))) {
    if (!name.startsWith('.'))
      symlinkSync(join(repository, 'node_modules', name), join(modules, name));
  }
  execFileSync('tar', ['-xzf', file], { cwd: folder });
  renameSync(join(folder, 'package'), join(modules, 'rowgate'));
}

/** Runs the server of an example on a free port. */
async function startExample(code: string) {
  const port = await freePort();
  const child = spawnScript(code.replace('3000', String(port)));
  const ended = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  const base = `http://127.0.0.1:${port}`;
  await until('the example listens', () =>
    fetch(base).then(
      () => true,
      () => false,
    ),
  );
  const stop = async (): Promise<unknown> => {
    child.kill('SIGTERM');
    return (await ended)[0];
  };
  return { base, stop };
}

/** Runs a program to its end, and returns its output. Rejects if it fails. */
async function runScript(code: string): Promise<string> {
  const child = spawnScript(code);
  let printed = '';
  child.stdout.on('data', (bytes: Buffer) => (printed += bytes.toString()));
  const [exitCode] = await once(child, 'close');
  if (exitCode !== 0) throw new Error(`The program ended with ${exitCode}: ${printed}`);
  return printed;
}

let scripts = 0;

function spawnScript(code: string) {
  const path = join(folder, `script-${(scripts += 1)}.mjs`);
  writeFileSync(path, code);
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, DATABASE_URL: sample.url };
  return spawn(process.execPath, [path], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function post(url: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}
