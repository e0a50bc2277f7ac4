/**
 * Runs the commands and files in the documents that no other test of this folder runs, and checks that every block is
 * run by a test.
 */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { readOptions } from '../../bench/options.js';
import { checkSchema } from '../../src/engine/index.js';
import {
  createThrowawayDatabase,
  makeTemporaryDirectory,
  withClient,
} from '../support/embedded.js';
import { findProgram } from '../support/find-program.js';
import { freePort } from '../support/free-port.js';
import { ask, type LogLine, post, type Program, startProgram, until } from '../support/program.js';
import { connectionUrl } from '../support/sample.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';
import { begins, blockOf, blocksIn } from './blocks.js';
import { isRunElsewhere, pages } from './run-elsewhere.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const rowgate = join(repository, 'dist/program/rowgate.js');
const read = (name: string) => readFileSync(join(repository, name), 'utf8');
const folder = makeTemporaryDirectory();
let sample: SampleServer;
let program: Program;
beforeAll(async () => {
  sample = await startSampleServer();
  program = await sample.start(['--workers', '1', '--access-log', 'on']);
  cpSync(join(repository, 'schemas'), join(folder, 'schemas'), { recursive: true });
});
afterAll(async () => {
  await program.stop();
  await sample.stop();
});

/** Runs lines of a shell, and returns their output. Rejects if one of them fails. */
async function shell(lines: string, environment: Readonly<Record<string, string>> = {}) {
  const own = lines
    .replaceAll('npm run --silent rowgate --', 'rowgate')
    .replaceAll('http://127.0.0.1:9291', program.base);
  const script = `set -e; rowgate() { "${process.execPath}" "${rowgate}" "$@"; }\n${own}`;
  const env = { PATH: process.env['PATH'], DATABASE_URL: sample.url, ...environment };
  const { stdout } = await promisify(execFile)('/bin/bash', ['-c', script], { cwd: folder, env });
  return stdout;
}

/** Runs a check with an empty database. */
async function withDatabase(
  check: (url: string, run: (sql: string) => Promise<unknown>) => unknown,
) {
  const { connection, drop } = await createThrowawayDatabase();
  try {
    const run = (sql: string) => withClient(connection, (client) => client.query(sql));
    await check(connectionUrl(connection), run);
  } finally {
    await drop();
  }
}

interface SchemaDocument {
  readonly domain: Readonly<Record<string, unknown>> & { readonly entities: readonly unknown[] };
  readonly infrastructure: Readonly<Record<string, unknown>> & {
    readonly stages: readonly Readonly<Record<string, unknown>>[];
  };
}

const northwind: SchemaDocument = parse(read('schemas/northwind.yaml'));

/** The sample's schema with the members of a document. */
function schemaWith(yaml: string): unknown {
  const { infrastructure, domain }: Partial<SchemaDocument> = parse(yaml);
  return {
    domain: { ...northwind.domain, ...domain },
    infrastructure: { ...northwind.infrastructure, ...infrastructure },
  };
}

/** Writes a file of the sample's schema with the views of docs/views.md, and returns its path. */
function writeViews(): string {
  const file = join(folder, 'views.yaml');
  writeFileSync(file, stringify(schemaWith(blockOf('docs/views.md', 'infrastructure:'))));
  return file;
}

/** A schema with one PostgreSQL source, unless the members of a document name others. */
function smallSchema(entities: readonly unknown[], infrastructure: Record<string, unknown>) {
  const connection = 'postgres://x/y';
  const { sources = [{ name: 'crm', dialect: 'PostgreSQL', mapping: 'default', connection }] } =
    infrastructure;
  const stages = [{ name: 'default', sources: [{ name: 'crm' }] }];
  return {
    domain: { version: '1.0.0', entities },
    infrastructure: { mappings: [{ name: 'default' }], stages, ...infrastructure, sources },
  };
}

type Check = (text: string) => unknown;

/** How the other blocks are run: by the document, and the first characters of the block. */
const checks: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  'README.md': {
    'npm run --silent rowgate -- check': async (text) => {
      const output = await shell(text.replace('FILE', 'schemas/northwind.yaml'));
      expect(output).toMatch(/ is valid\.\n[\s\S]*"sentence": "SELECT [\s\S]*"Swift Parcel"/);
    },
    'upstream rowgate': (text) => {
      const file = join(folder, 'nginx.conf');
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const own = paths.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
      writeFileSync(file, `pid ${folder}/pid; events {} http { access_log off; ${own}\n${text}\n}`);
      const words = ['-t', '-q', '-e', 'stderr', '-p', folder, '-c', file];
      const { status, stderr } = spawnSync(findProgram('nginx') ?? '', words, { encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    },
  },
  'docs/configuration.md': {
    'rowgate query': (text) =>
      withDatabase(async (url, run) => {
        await shell('rowgate push; cp schemas/northwind.yaml other.yaml', { DATABASE_URL: url });
        expect(await shell(text, { DATABASE_URL: url })).toMatch(/^\[\n {2}\{\n {4}"id": 2,/);
        expect(await run('SELECT count(*)::int AS n FROM Shippers')).toMatchObject({
          rows: [{ n: 4 }],
        });
      }),
  },
  'docs/databases.md': {
    'infrastructure:': (text) => {
      const mappings = ['crm', 'catalog'].map((name) => ({ name }));
      const { infrastructure } = parse(text);
      const schema = smallSchema([], { mappings, ...infrastructure });
      expect(checkSchema(schema, { CRM_URL: 'postgres://x/y', PASSWORD: 'x' })).toEqual([]);
    },
    'rowgate push': (text) =>
      withDatabase(async (url, run) => {
        expect(await shell(text, { DATABASE_URL: url })).toContain('default: ');
        await run('SELECT * FROM "Order Details"');
      }),
    // Citus is not installed: functions with its names check that the tables and columns exist.
    'SELECT create_reference_table': (text) =>
      withDatabase(async (url, run) => {
        await shell('rowgate push', { DATABASE_URL: url });
        await run(`CREATE FUNCTION create_reference_table(name text) RETURNS regclass LANGUAGE sql AS 'SELECT name::regclass';
          CREATE FUNCTION create_distributed_table(name text, key text, colocate_with text DEFAULT 'default')
          RETURNS int LANGUAGE sql AS 'SELECT 1 / count(*)::int FROM pg_attribute WHERE attrelid = name::regclass AND attname = key'`);
        await run(text);
      }),
  },
  'docs/http.md': {
    "curl -s 'http://127.0.0.1:9291/stats": async (text) => {
      expect(JSON.parse(await shell(text))).toHaveProperty('plans');
    },
    "curl -s 'http://127.0.0.1:9291/explain": async (text) => {
      const [call = '', shown = ''] = text.split('\n\n');
      const { explain, ...rest } = JSON.parse(await shell(call));
      const plan = explain[0].Plan;
      expect(Object.keys(rest)).toEqual(['entity', 'dialect', 'source', 'sentence']);
      const members = [...shown.matchAll(/"([A-Z][\w ]+)":/g)].map(([, name = '']) => name);
      expect(members.slice(1).filter((name) => !(name in plan))).toEqual([]);
    },
  },
  'docs/observability.md': {
    '{"level":40': async (text) => {
      const port = await freePort();
      const own = await startProgram(['--workers', '1'], {
        DATABASE_URL: `postgresql://x@127.0.0.1:${port}/x`,
      });
      onTestFinished(async () => void (await own.stop()));
      await post(own, '/execute', { query: 'Shippers' });
      const isShown = ({ event }: LogLine) => event === 'request';
      const logged = await until('it is logged', () => own.log.find(isShown));
      const { pid: _, hostname: __, ...line } = logged ?? {};
      const settled = (json: string) =>
        json.replaceAll(/("(?:time|requestId)":)"[^"]*"|("durationMs":)[\d.]+/g, '$1$2…');
      const known = JSON.stringify(line).replace(`:${port}`, ':5432');
      expect(settled(known)).toBe(settled(text));
    },
    'kill -USR2 PID': async (text) => {
      await shell(text.replace('PID', String(program.pid)));
      const isDebug = () => program.log.some(({ event }) => event === 'log-level');
      await expect.poll(isDebug).toBe(true);
    },
    'Server-Timing:': async (text) => {
      const body = JSON.stringify({ query: 'Shippers.count()' });
      const { headers } = await post(program, '/execute?timing=true', body);
      const names = (line: string | null) => (line ?? '').match(/\w+(?=;dur=[\d.]+)/g);
      expect(names(headers.get('server-timing'))).toEqual(names(text));
    },
    'scrape_configs:': (text) => {
      const own = join(folder, 'prometheus');
      mkdirSync(own);
      cpSync(
        join(repository, 'deploy/prometheus-alerts.yaml'),
        join(own, 'prometheus-alerts.yaml'),
      );
      writeFileSync(join(own, 'key'), 'rowgate_x');
      writeFileSync(join(own, 'p.yaml'), text.replace('/etc/prometheus/rowgate.key', `${own}/key`));
      const words = ['check', 'config', join(own, 'p.yaml')];
      const { status } = spawnSync(findProgram('promtool') ?? '', words, { encoding: 'utf8' });
      expect(status).toBe(0);
    },
  },
  'docs/performance.md': {
    // The whole run takes minutes.
    'npm run bench': (text) => {
      expect(readOptions(text.split(' -- ')[1]?.split(' ') ?? [])).toMatchObject({
        cases: ['point', 'include'],
      });
    },
  },
  'docs/security.md': {
    'Authorization: Bearer': async (text) => {
      const keys = join(folder, 'own-keys.json');
      const printed = await shell(`rowgate keys add own --keys-file ${keys}`);
      const key = /rowgate_[\w-]+/.exec(printed)?.[0] ?? '';
      const own = await sample.start(['--workers', '1', '--keys-file', keys]);
      onTestFinished(async () => void (await own.stop()));
      const [name = '', value = ''] = text.split(': ');
      const status = async (headers: Readonly<Record<string, string>>) =>
        (await ask(own, '/entities', { headers })).status;
      // Without the permission `schema`, a valid key is answered with 403.
      const statuses = [
        await status({}),
        await status({ [name]: value.replace('rowgate_…', key) }),
      ];
      expect(statuses).toEqual([401, 403]);
    },
    'export ROWGATE_KEYS_FILE': async (text) => {
      const output = await shell(text);
      expect(output).toMatch(/rowgate_[\w-]{20,}/);
      expect(output).toContain('clerk');
      expect(JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8'))).toEqual({ keys: [] });
    },
    '{\n  "keys"': async (text) => {
      writeFileSync(join(folder, 'shown.json'), text);
      const output = await shell(`rowgate check --schema ${writeViews()} --keys-file shown.json`);
      expect(output).toContain('shop');
    },
    '{ "sub"': async (text) => {
      const claims = JSON.parse(text) as { readonly exp: number };
      expect(claims.exp).toEqual(expect.any(Number));
      const secret = 'a secret of more than thirty-two bytes, for tests';
      writeFileSync(join(folder, 'secret'), secret);
      const exp = Math.floor(Date.now() / 1000) + 600;
      const unsigned = new SignJWT({ ...claims, exp }).setProtectedHeader({ alg: 'HS256' });
      const authorization = `Bearer ${await unsigned.sign(Buffer.from(secret))}`;
      const flags = ['--schema', writeViews(), '--jwt-key-file', join(folder, 'secret')];
      const own = await sample.start(['--workers', '1', ...flags]);
      onTestFinished(async () => void (await own.stop()));
      const status = async (body: object) =>
        (await post(own, '/execute', body, { authorization })).status;
      const statuses = [
        await status({ query: 'Customers.count()' }),
        await status({ query: 'Employees.count()' }),
        await status({ query: 'Customers.count()', options: { view: 'default' } }),
        await status({ query: 'Customers.filter(p=>p.id=="-").update({name: "x"})' }),
      ];
      expect(statuses).toEqual([200, 400, 403, 403]);
    },
    'rowgate keys add tenant-7': async (text) => {
      const output = await shell(
        `export ROWGATE_KEYS_FILE=tenant.json\n${text}\nrowgate keys list`,
      );
      expect(output).toContain('app.tenant=7');
    },
    'CREATE POLICY': (text) =>
      withDatabase(async (_, run) => {
        await run(`CREATE TABLE orders (tenant text); ${text}`);
      }),
    'export ROWGATE_QUERIES_FILE': async (text) => {
      writeFileSync(join(folder, 'queries.txt'), 'Shippers\n');
      await shell(text);
      expect(readFileSync(join(folder, 'queries.json'), 'utf8')).toContain('Shippers');
    },
  },
  'docs/sources.md': {
    'infrastructure:': (text) => {
      const variables = {
        CATALOG_URL: 'mysql://x/y',
        CRM_URL: 'postgres://x/y',
        COPY_URL: 'postgres://x/z',
      };
      expect(checkSchema(schemaWith(text), variables)).toEqual([]);
    },
    'mappings:': (text) => {
      const properties = [{ name: 'created', type: 'dateTime' }];
      const schema = smallSchema([{ name: 'Users', properties }], parse(text));
      expect(checkSchema(schema, {})).toEqual([]);
    },
  },
  'docs/views.md': {
    'infrastructure:': (text) => {
      expect(checkSchema(schemaWith(text), { DATABASE_URL: '' })).toEqual([]);
    },
  },
  'docs/writes.md': {
    'properties:': (text) => {
      const names = ['first', 'last'].map((name) => ({ name, length: 80 }));
      const { properties } = parse(text);
      const people = {
        name: 'People',
        primaryKey: ['first'],
        properties: [...names, ...properties],
      };
      const variables = { PEOPLE_KEY: 'k'.repeat(32) };
      expect(checkSchema(smallSchema([people], {}), variables)).toEqual([]);
    },
    'application:': (text) => expectListeners(parse(text).application.listeners),
    '- name: syncInsights': (text) => expectListeners(parse(text)),
  },
};

/** Checks that listeners load, with an entity for their log and the stages that they name. */
function expectListeners(listeners: unknown): void {
  const logs = ['what', 'action'].map((name) => ({ name, length: 4000 }));
  const key = [
    { name: 'id', type: 'integer', autoIncrement: true },
    { name: 'orderId', type: 'integer' },
  ];
  const entity = { name: 'Logs', primaryKey: ['id'], properties: [...key, ...logs] };
  const { domain, infrastructure } = northwind;
  const [stage] = infrastructure.stages;
  const stages = ['default', 'insights', 'cqrs'].map((name) => ({ ...stage, name }));
  const schema = {
    domain: { ...domain, entities: [...domain.entities, entity] },
    infrastructure: { ...infrastructure, stages },
    application: { listeners },
  };
  expect(checkSchema(schema, { DATABASE_URL: '' })).toEqual([]);
}

const own = pages.flatMap((page) =>
  Object.entries(checks[page] ?? {}).map(([begin, check]) => ({ page, begin, check })),
);

describe('the documents', () => {
  test.each(own)('can be followed: $page, $begin', async ({ page, begin, check }) => {
    await check(blockOf(page, begin));
  });

  test('have no other block that is not run by a test', () => {
    const missing = pages.flatMap((page) =>
      blocksIn(read(page))
        .filter((block) => !Object.keys(checks[page] ?? {}).some((key) => begins(block, key)))
        .filter((block) => !isRunElsewhere(page, block))
        .map(({ line, text }) => `${page}:${line}: ${text.slice(0, 60)}`),
    );
    expect(missing).toEqual([]);
  });

  test('have no check of a document that does not exist', () => {
    expect(Object.keys(checks).filter((page) => !pages.includes(page))).toEqual([]);
  });

  test('have no indented block directly after a list, where it would be text of the list', () => {
    const wrong = pages.filter((page) =>
      /^(?:-|\d+\.) .*\n(?: {2,}\S.*\n)*\n {4}\S/m.test(read(page)),
    );
    expect(wrong).toEqual([]);
  });
});
