/**
 * Everything at the same time, on one gateway and one database: reads whose answers are known, expensive
 * queries, slow readers, clients that leave, new queries, writes, large bodies, slow uploads and locks, while the
 * gateway, its workers, the sessions and the database are killed. Nothing may hang, be lost, be wrong or
 * grow. `ROWGATE_TEST_ALL_SECONDS=3600` makes it an hour for each database; with
 * `ROWGATE_TEST_CRASHES=off`, nothing is killed.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../../support/embedded.js';
import { until } from '../../support/program.js';
import { createRandom } from '../../support/random.js';
import * as clients from './clients.js';
import { crashAgain, lockAgain } from './crashes.js';
import type { DescribeDatabase } from './database.js';
import { handlesOf, metricOf, superviseGateway } from './gateway.js';
import { watchGrowth } from './growth.js';
import { type Ledger, ledgerFaults, repeatedFaults, writeKeyed, writeUnkeyed } from './ledger.js';
import { openScene } from './scene.js';
import { createTables, noiseRows, schemaFile } from './world.js';

const SEED = Number(process.env['ROWGATE_TEST_SEED'] ?? '20261124');
const FOR_MS = 1000 * Number(process.env['ROWGATE_TEST_ALL_SECONDS'] ?? '10');
const HAS_CRASHES = process.env['ROWGATE_TEST_CRASHES'] !== 'off';
/** The part of the time in which the gateway is killed; the last one is watched for growth. */
const KILLED_PART = 0.6;
const SLOW_MS_MAX = Math.min(60_000, FOR_MS / 3);
const REPORT_MS = 30_000;
/** The clients of whom each is served at least once, which after crashes may take a busy machine longer. */
const SERVED = [
  'point',
  'expensive',
  'distinct',
  'large body',
  'keyed',
  'unkeyed',
  'counter',
  'slow reader',
];
const SERVED_MS = 60_000;
const END_MS = 180_000;
/** A gateway that nobody kills for so long is watched for growth. */
const COMPARED_MS = 120_000;
const CONNECTIONS = 16;
/** The sessions of a killed worker end only after their statements; at the end, all must have ended. */
const CONNECTIONS_MARGIN = HAS_CRASHES ? 2 * CONNECTIONS : 4;
/** Idle connections of clients, and a worker for large bodies, which has a connection of its own. */
const HANDLES_MARGIN = 30;
const FLAGS = [
  ...['--workers', '2', '--connections', String(CONNECTIONS)],
  ...['--statement-timeout-ms', '5000', '--transaction-timeout-ms', '5000'],
  ...['--queue-wait-ms', '2500'],
];

/**
 * Declares the suite on one of the databases: each has a file of its own, so that they run at the same time. The gateway
 * starts on the first or the second HTTP server; without crashes it stays there.
 */
export function describeAllAtOnce(describeDatabase: DescribeDatabase, server: 0 | 1): void {
  describeDatabase(
    `everything at once${HAS_CRASHES ? '' : ' without crashes'}`,
    (startDatabase) => {
      test(
        'no request hangs, no write is lost, no answer is wrong, and nothing grows',
        async () => {
          const folder = makeTemporaryDirectory();
          const database = await startDatabase();
          await createTables(database);
          const schema = join(folder, 'schema.json');
          writeFileSync(schema, schemaFile(database));
          const gateway = await superviseGateway(['--schema', schema, ...FLAGS], server);
          const handlesIdle = handlesOf(gateway.current);
          const begin = performance.now();
          const passed = () => performance.now() - begin;
          // On a busy machine, the expensive statements may take longer than they are allowed to.
          const statuses = (who: string) => (who === 'expensive' ? [200, 504] : [200]);
          const isServed = (who: string) =>
            statuses(who).some((status) => (scene.counts.get(`${who} ${status}`) ?? 0) > 0);
          const isOver = () =>
            passed() > FOR_MS && (passed() > FOR_MS + SERVED_MS || SERVED.every(isServed));
          const scene = openScene(gateway.port, createRandom(SEED), isOver);
          const rows = noiseRows();
          const ledger: Ledger = new Map();
          const counting = clients.createCounting();
          const growth = watchGrowth(scene, gateway, database, CONNECTIONS_MARGIN);
          const killUntil = begin + KILLED_PART * FOR_MS;
          const crashUntil = begin + FOR_MS;
          const disturbed = { scene, gateway, database, killUntil, crashUntil, forMs: FOR_MS };

          const many = (count: number, run: (client: number) => Promise<void>) =>
            Array.from({ length: count }, (_, client) => run(client));
          const answers = clients.slowAnswers(rows);
          const reporting = (async () => {
            while (!isOver()) {
              await sleep(Math.max(100, Math.min(REPORT_MS, FOR_MS - passed())));
              if (FOR_MS > REPORT_MS) report(passed(), scene.counts, growth.describe());
            }
          })();
          await Promise.all([
            ...many(12, () => clients.readPoints(scene)),
            ...many(2, () => clients.readExpensive(scene, rows)),
            ...many(2, (client) => clients.readDistinct(scene, client)),
            ...many(2, () => clients.readWithLargeBodies(scene)),
            ...many(4, () => clients.uploadSlowly(scene)),
            ...many(4, () => clients.leaveEarly(scene)),
            ...many(4, () => counting.run(scene)),
            ...many(4, (client) => writeKeyed(scene, ledger, client)),
            ...many(2, (client) => writeUnkeyed(scene, ledger, client, false)),
            ...many(2, (client) => writeUnkeyed(scene, ledger, client, true)),
            ...answers.flatMap(([query, expected]) =>
              many(4, () => clients.readSlowly(scene, expected, query, SLOW_MS_MAX)),
            ),
            lockAgain(disturbed),
            HAS_CRASHES ? crashAgain(disturbed) : undefined,
            growth.ended,
            reporting,
          ]);

          const { current } = gateway;
          await until('everything is answered', async () => {
            const waiting = await metricOf(current, 'rowgate_requests_unanswered');
            const runaway = await metricOf(current, 'rowgate_runaway_statements');
            const isClosed = handlesOf(current) <= handlesIdle + CONNECTIONS + HANDLES_MARGIN;
            const { length: sessions } = await database.withSession(database.sessions);
            return waiting === 0 && runaway === 0 && isClosed && sessions <= CONNECTIONS + 1;
          });
          expect(await metricOf(current, 'rowgate_requests_overdue_total')).toBe(0);
          const growths = growth.faults();
          if (!HAS_CRASHES && FOR_MS >= COMPARED_MS) expect(growths).toBeDefined();
          const faults = [...scene.faults, ...(growths ?? [])];
          faults.push(...(await repeatedFaults(ledger, current, 100)));
          scene.close();
          expect(await gateway.stop()).toBe(0);
          await database.withSession(async (query) => {
            faults.push(...counting.faults(await query('SELECT id, counter FROM hot')));
            faults.push(...(await ledgerFaults(ledger, query)));
          });
          report(passed(), scene.counts, '');
          expect([...faults, ...gateway.faults()]).toEqual([]);
          for (const who of SERVED) expect([who, isServed(who)]).toEqual([who, true]);
          await database.stop();
          rmSync(folder, { recursive: true, force: true });
        },
        FOR_MS + END_MS,
      );
    },
  );
}

function report(passedMs: number, counts: ReadonlyMap<string, number>, figures: string): void {
  const lines = [...counts].map(([what, count]) => `${what}: ${count}`).toSorted();
  console.log(
    `after ${Math.round(passedMs / 1000)} s: ${lines.join(', ')}${figures && `; ${figures}`}`,
  );
}
