/** A server that executes only the queries in a file. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeServers } from '../support/http-servers.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { post, type Program, runCommand, until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';
import { startOnFakeWorker } from '../http/start.js';

const folder = makeTemporaryDirectory();
const file = join(folder, 'queries.json');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const allow = (from: string) => runCommand(['allow', from], { ROWGATE_QUERIES_FILE: file });

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('the command allow', () => {
  it('reads a query per line, or a query per file', async () => {
    const lines = write('lines', '# Known to the shop.\nOrders.count()\n\n  Shippers  \n');
    expect(await allow(lines)).toMatchObject({ code: 0, stderr: expect.stringMatching(/^2 /) });
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
});

it.each([
  ['[]', /expected {"queries"/],
  [`{"queries": {"${'0'.repeat(64)}": "Orders"}}`, /is not that of its expression/],
])('a file of queries cannot be %s', async (content, why) => {
  const path = write('broken', content);
  await expect(startOnFakeWorker('node', ['--queries-file', path])).rejects.toThrow(why);
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
});
