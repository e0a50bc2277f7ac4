/**
 * Faults between a gateway and its database: latency, stalls, resets, half-open connections, bytes one by
 * one, truncated frames and wrong lengths. Clients that know the right answers get no other, and each
 * is answered. `ROWGATE_TEST_FAULT_REQUESTS` and `ROWGATE_TEST_FAULTS` are the least numbers of requests
 * and of faults on each database; if the latter is set, sessions, workers, the gateway and the database
 * are killed as well.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFailed, test } from 'vitest';
import { residentBytes } from '../program/large-fixture.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { post, until } from '../support/program.js';
import { createRandom } from '../support/random.js';
import { createCounting, readDistinct, readPoints } from './parts/clients.js';
import { crashAgain } from './parts/crashes.js';
import { describeDatabases } from './parts/database.js';
import { faultKinds, type FaultProxy, startFaultProxy } from './parts/fault-proxy.js';
import { metricOf, superviseGateway, type SupervisedGateway } from './parts/gateway.js';
import {
  type Ledger,
  ledgerFaults,
  readEntries,
  repeatedFaults,
  writeKeyed,
  writeUnkeyed,
} from './parts/ledger.js';
import { openScene, type Scene } from './parts/scene.js';
import {
  createTables,
  type NamedRow,
  noiseRows,
  POINTS,
  pointRow,
  schemaFile,
} from './parts/world.js';

const SEED = Number(process.env['ROWGATE_TEST_SEED'] ?? '20261125');
const REQUESTS = Number(process.env['ROWGATE_TEST_FAULT_REQUESTS'] ?? '1000');
const FAULTS = Number(process.env['ROWGATE_TEST_FAULTS'] ?? '25');
const HAS_CRASHES = process.env['ROWGATE_TEST_FAULTS'] !== undefined;
/** How long one request and one fault take at most, on average. */
const REQUEST_MS = 25;
const FAULT_MS = 5000;
const END_MS = 180_000;
const REPORT_MS = 30_000;
const FAULT_EVERY_MS = 250;
/** More than all messages of an opening connection. */
const FRAMES_OF_OPENING = 30;
const MEMORY_MAX = 1 << 30;
const FLAGS = [
  ...['--workers', '2', '--connections', '8', '--connect-timeout-ms', '1000'],
  ...['--statement-timeout-ms', '1500', '--transaction-timeout-ms', '3000'],
  ...['--queue-wait-ms', '1500'],
];

describeDatabases('faults of connections', (startDatabase) => {
  test(
    'make no answer wrong, and nothing hangs',
    async () => {
      const folder = makeTemporaryDirectory();
      const database = await startDatabase();
      await createTables(database);
      const random = createRandom(SEED);
      const { address: target, framing } = database;
      const proxy = await startFaultProxy({ target, framing, random });
      const schema = join(folder, 'schema.json');
      writeFileSync(schema, schemaFile({ source: database.sourceThrough(proxy.port) }));
      const gateway = await superviseGateway(['--schema', schema, ...FLAGS]);
      const begin = performance.now();
      const sum = (counts: Iterable<number>) => [...counts].reduce((all, each) => all + each, 0);
      const requests = () =>
        sum([...scene.counts].flatMap(([what, n]) => (/ (\d{3}|cut)$/.test(what) ? [n] : [])));
      const isOver = () =>
        gateway.hasFailed ||
        (requests() >= REQUESTS &&
          sum(proxy.counts.values()) >= FAULTS &&
          faultKinds.every((kind) => proxy.counts.has(kind)));
      const scene = openScene(gateway.port, random, isOver);
      const report = (): void => {
        const counts = [...scene.counts, ...proxy.counts].map(([what, n]) => `${what}: ${n}`);
        const passed = Math.round((performance.now() - begin) / 1000);
        console.log(
          `after ${passed} s: ${requests()} requests, ${sum(proxy.counts.values())} faults; ` +
            counts.toSorted().join(', '),
        );
      };
      // A run that hangs shows where.
      let stage = 'clients';
      onTestFailed(() => {
        console.log(`in the stage of ${stage}`);
        report();
      });
      const rows = noiseRows();
      const ledger: Ledger = new Map();
      const counting = createCounting();
      const many = (count: number, run: (client: number) => Promise<void>) =>
        Array.from({ length: count }, (_, client) => run(client));
      const reporting = HAS_CRASHES ? setInterval(report, REPORT_MS) : undefined;
      const always = { killUntil: Infinity, crashUntil: Infinity, forMs: Infinity };
      const disturbed = { scene, gateway, database, ...always };
      await Promise.all([
        ...many(8, () => readPoints(scene)),
        ...many(2, (client) => readDistinct(scene, client)),
        ...many(3, () => readRanges(scene)),
        ...many(2, () => readLarge(scene, rows)),
        ...many(2, () => readEntries(scene, ledger)),
        ...many(2, () => counting.run(scene)),
        ...many(3, (client) => writeKeyed(scene, ledger, client)),
        ...many(3, (client) => writeUnkeyed(scene, ledger, client, false)),
        disturb(scene, proxy),
        HAS_CRASHES ? crashAgain(disturbed) : undefined,
        watchMemory(scene, gateway),
      ]);
      clearInterval(reporting);
      expect(gateway.hasFailed ? gateway.faults() : []).toEqual([]);

      const { current } = gateway;
      stage = 'waiting until everything is answered';
      await until('everything is answered, and the gateway serves', async () => {
        const waiting = await metricOf(current, 'rowgate_requests_unanswered');
        const runaway = await metricOf(current, 'rowgate_runaway_statements');
        const { status } = await post(current, '/execute', { query: 'points.count()' });
        return waiting === 0 && runaway === 0 && status === 200;
      });
      const overdue = await metricOf(current, 'rowgate_requests_overdue_total');
      stage = 'repeated writes';
      const faults = [...scene.faults, ...(await repeatedFaults(ledger, current, 100))];
      stage = 'the end of the gateway';
      scene.close();
      expect(await gateway.stop()).toBe(0);
      stage = 'the end of the proxy';
      await proxy.close();
      stage = 'checking what is stored';
      await database.withSession(async (query) => {
        faults.push(...counting.faults(await query('SELECT id, counter FROM hot')));
        faults.push(...(await ledgerFaults(ledger, query)));
      });
      report();
      expect([...faults, ...gateway.faults(), overdue]).toEqual([0]);
      for (const who of ['point', 'distinct', 'range', 'large', 'entry', 'keyed', 'unkeyed']) {
        expect([who, (scene.counts.get(`${who} 200`) ?? 0) > 0]).toEqual([who, true]);
      }
      await database.stop();
      rmSync(folder, { recursive: true, force: true });
    },
    END_MS + REQUESTS * REQUEST_MS + FAULTS * FAULT_MS,
  );
});

/** Applies one fault after the other: most to live connections, some to those that are being opened. */
async function disturb(scene: Scene, proxy: FaultProxy): Promise<void> {
  for (let turn = 0; !scene.isOver(); turn += 1) {
    const kind = faultKinds[turn % faultKinds.length] ?? 'reset';
    if (scene.random(4) === 0) proxy.injectNext(kind, scene.random(FRAMES_OF_OPENING));
    else proxy.inject(kind);
    await sleep(scene.random(FAULT_EVERY_MS));
  }
}

async function watchMemory(scene: Scene, gateway: SupervisedGateway): Promise<void> {
  while (!scene.isOver()) {
    const bytes = residentBytes(gateway.current);
    if (bytes > MEMORY_MAX) scene.wrong(`the gateway takes ${bytes >> 20} MiB`);
    await sleep(500);
  }
}

async function readRanges(scene: Scene): Promise<void> {
  const query = 'points.filter(p=>p.id>=from && p.id<to).sort(p=>p.id)';
  while (!scene.isOver()) {
    const from = 1 + scene.random(POINTS);
    const length = Math.min(scene.random(200), POINTS + 1 - from);
    const rows = Array.from({ length }, (_, at) => pointRow(from + at));
    await scene.read('range', { query, data: { from, to: from + length } }, JSON.stringify(rows));
    await sleep(scene.random(10));
  }
}

/** Answers of up to some megabytes, which are streamed. */
async function readLarge(scene: Scene, rows: readonly NamedRow[]): Promise<void> {
  const query = 'noise.filter(p=>p.id<=to).sort(p=>p.id)';
  while (!scene.isOver()) {
    const to = 1 + scene.random(1500);
    const expected = JSON.stringify(rows.slice(0, to));
    await scene.read('large', { query, data: { to }, isStreamed: true }, expected);
    await sleep(scene.random(100));
  }
}
