/**
 * Writes with idempotency keys while the gateway and the database are killed in turn: each is stored
 * exactly once and completely, and keeps its first answer. `ROWGATE_TEST_KEYED_WRITES=10000` writes that
 * many.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { until } from '../support/program.js';
import { createRandom } from '../support/random.js';
import { describeDatabases } from './parts/database.js';
import { superviseGateway } from './parts/gateway.js';
import { type Ledger, ledgerFaults, repeatedFaults, writeKeyed } from './parts/ledger.js';
import { openScene } from './parts/scene.js';
import { createTables, schemaFile } from './parts/world.js';

const SEED = Number(process.env['ROWGATE_TEST_SEED'] ?? '20261124');
const WRITES = Number(process.env['ROWGATE_TEST_KEYED_WRITES'] ?? '200');
/** Writes between two crashes, of the gateway and of the database in turn. */
const BETWEEN = Math.max(50, WRITES / 20);
const CLIENTS = 8;
const STEP_MS = 120_000;

describeDatabases('a ledger', (startDatabase) => {
  test(
    'stores each write with an idempotency key exactly once, whatever is killed',
    async () => {
      const folder = makeTemporaryDirectory();
      const database = await startDatabase();
      await createTables(database);
      const schema = join(folder, 'schema.json');
      writeFileSync(schema, schemaFile(database));
      const gateway = await superviseGateway(['--schema', schema, '--workers', '2']);
      let isOver = false;
      const scene = openScene(gateway.port, createRandom(SEED), () => isOver);
      const ledger: Ledger = new Map();
      const stored = () => scene.counts.get('keyed 200') ?? 0;
      const writing = Promise.all(
        Array.from({ length: CLIENTS }, (_, client) => writeKeyed(scene, ledger, client)),
      );
      for (let turn = 0; stored() < WRITES; turn += 1) {
        const goal = stored() + BETWEEN;
        await until(`${goal} writes are stored`, () => stored() >= goal, STEP_MS);
        const crash = database.crashes[(turn >> 1) % database.crashes.length];
        if (turn % 2 === 0) await scene.crash('gateway', gateway.kill);
        else await scene.crash('database', async () => crash?.(scene.random(500)));
      }
      isOver = true;
      await writing;
      const faults = [...scene.faults];
      faults.push(...(await repeatedFaults(ledger, gateway.current, 1000)));
      expect(await gateway.stop()).toBe(0);
      faults.push(...(await database.withSession((query) => ledgerFaults(ledger, query))));
      expect([...faults, ...gateway.faults()]).toEqual([]);
      expect(scene.counts.get('keyed repeated')).toBeGreaterThan(0);
      console.log([...scene.counts].map(([what, count]) => `${what}: ${count}`).join(', '));
      scene.close();
      await database.stop();
      rmSync(folder, { recursive: true, force: true });
    },
    STEP_MS + 100 * WRITES,
  );
});
