/** A server that executes only the queries in a file. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callCommand } from '../support/call-command.js';
import { describeServers } from '../support/http-servers.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { post, type Program, runCommand, until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';
import { digestOf } from '../../src/gateway/access/keys-file.js';
import { startOnFakeWorker } from '../http/start.js';
import { wholeDocument } from '../views/narrow-schema.js';

const folder = makeTemporaryDirectory();
const file = join(folder, 'queries.json');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const allow = (from: string, ...flags: readonly string[]) =>
  callCommand(['allow', from, ...flags], { ROWGATE_QUERIES_FILE: file });

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('the command allow', () => {
  it('reads a query per line, or a query per file', async () => {
    const lines = write('lines', '# Known to the shop.\nOrders.count()\n\n  Shippers  \n');
    const written = await runCommand(['allow', lines], { ROWGATE_QUERIES_FILE: file });
    expect(written).toMatchObject({ code: 0, stderr: expect.stringMatching(/^2 /) });
    const { queries } = JSON.parse(readFileSync(file, 'utf8'));
    expect(Object.values(queries)).toEqual(['Orders.count()', 'Shippers']);
    const queriesFolder = join(folder, 'queries');
    mkdirSync(queriesFolder);
    writeFileSync(join(queriesFolder, 'one.txt'), 'Orders\n  .count()\n');
    expect((await allow(queriesFolder)).code).toBe(0);
    expect(Object.values(JSON.parse(readFileSync(file, 'utf8')).queries)).toEqual([
      'Orders\n  .count()',
    ]);
  });

  it('reports each invalid query, and then writes nothing', async () => {
    const before = readFileSync(file, 'utf8');
    const wrong = write('wrong', 'Orders\nOrder.count()\nOrders.filter(p=>p.nam==1)\n');
    const { code, stderr } = await allow(wrong);
    expect(code).toBe(1);
    expect(stderr).toContain(`${wrong}:2: `);
    expect(stderr).toContain(`${wrong}:3: `);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('compiles the queries on a stage and under a view, also under that of the stage', async () => {
    const document = JSON.stringify(wholeDocument('PostgreSQL', ''));
    const schema = ['--schema', write('schema.json', document)];
    const all = write('hidden', 'Orders\nEmployees\n');
    expect((await allow(all, ...schema)).code).toBe(0);
    for (const [flags, fault] of [
      [['--view', 'narrow'], `${all}:2: There is no entity 'Employees'.`],
      [['--stage', 'forced'], `${all}:2: There is no entity 'Employees'.`],
      [['--stage', 'none'], `${all}:1: There is no stage 'none'.`],
      [['--view', 'none'], `${all}:1: There is no view 'none'.`],
      [['--stage', 'forced', '--view', 'default'], 'leave the view out'],
    ] as const) {
      const { code, stderr } = await allow(all, ...schema, ...flags);
      expect([flags, code, stderr]).toEqual([flags, 1, expect.stringContaining(fault)]);
    }
  });
});

it.each([
  ['[]', /expected {"queries"/],
  [`{"queries": {"${'0'.repeat(64)}": "Orders"}}`, /is not that of its expression/],
])('a file of queries cannot be %s', async (content, why) => {
  const path = write('broken', content);
  await expect(startOnFakeWorker('node', ['--queries-file', path])).rejects.toThrow(why);
});

describeServers('with a file of queries, on %s,', (http) => {
  it.each(['import', 'export'])('an %s is refused without a key', async (name) => {
    const path = write('alone.json', '{"queries": {}}');
    const started = await startOnFakeWorker(http, ['--queries-file', path]);
    const method = name === 'import' ? 'POST' : 'GET';
    const answer = await fetch(`${started.base}/stages/default/${name}`, { method });
    expect([answer.status, await answer.json()]).toMatchObject([
      403,
      { code: 'query-not-allowed' },
    ]);
    await started.gateway.close();
  });
});

describeServers('with a file of queries, on %s, a query', (http) => {
  let server: SampleServer;
  let program: Program;
  const allowed = (...queries: readonly string[]) => allow(write('served', queries.join('\n')));
  const statusOf = async (query: string, data?: unknown) =>
    (await post(program, '/execute', { query, data })).status;

  beforeAll(async () => {
    server = await startSampleServer();
    await allowed('Orders.filter(p=>p.id==id)', 'Shippers.insert()');
    program = await server.start(['--http-server', http, '--queries-file', file]);
  });
  afterAll(async () => {
    await program.stop();
    await server.stop();
  });

  it('is executed with any data, unlike other queries', async () => {
    for (const id of [1, 2]) expect(await statusOf('Orders.filter(p=>p.id==id)', { id })).toBe(200);
    expect(await statusOf('Shippers.insert()', { name: `${http} 1` })).toBe(200);
    expect(await statusOf(' \n Shippers.insert()\t', { name: `${http} 3` })).toBe(200);
    for (const path of [
      '/metadata',
      '/model',
      '/parameters',
      '/constraints',
      '/plan',
      '/explain',
    ]) {
      const answer = await post(program, path, { query: 'Orders' });
      expect([path, answer.status, answer.json()]).toMatchObject([
        path,
        403,
        { code: 'query-not-allowed' },
      ]);
    }
    for (const other of ['Orders', 'Orders.filter(p=>p.id== id)', 'Shippers.deleteAll()']) {
      const answer = await post(program, '/execute', { query: other });
      expect([answer.status, answer.json()]).toMatchObject([403, { code: 'query-not-allowed' }]);
      const steps = [{ query: 'Shippers.insert()', data: { name: `${http} 2` } }, { query: other }];
      expect((await post(program, '/transaction', steps)).status).toBe(403);
    }
    const page = { query: 'Orders.filter(p=>p.id==id)', data: { id: 1 }, options: { count: true } };
    expect((await post(program, '/execute', page)).status).toBe(200);
  });

  it('can be changed with SIGHUP', async () => {
    await allowed('Orders.count()');
    program.signal('SIGHUP');
    await until('it is allowed', async () => (await statusOf('Orders.count()')) === 200);
    expect(await statusOf('Orders.filter(p=>p.id==id)', { id: 1 })).toBe(403);
  });

  it('is needed with a key, too, and the key has to allow it', async () => {
    const entries = [{ name: 'all' }, { name: 'reader', readOnly: true }];
    const keys = entries.map((entry) => ({ ...entry, hash: digestOf(entry.name) }));
    await allowed('Orders.count()', 'Shippers.insert()');
    const flags = ['--queries-file', file, '--keys-file', write('keys', JSON.stringify({ keys }))];
    const { base, gateway } = await startOnFakeWorker(http, flags);
    const outcome = async (key: string, query: string) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify({ query }) };
      const response = await fetch(`${base}/execute`, init);
      return response.status === 200 ? 200 : Object(await response.json()).code;
    };
    const outcomes = (key: string) =>
      Promise.all(
        ['Orders.count()', 'Shippers.insert()', 'Orders'].map((each) => outcome(key, each)),
      );
    expect(await outcomes('all')).toEqual([200, 200, 'query-not-allowed']);
    expect(await outcomes('reader')).toEqual([200, 'forbidden', 'query-not-allowed']);
    expect(new Set(await outcomes('none'))).toEqual(new Set(['unauthenticated']));
    await gateway.close();
  });
});
