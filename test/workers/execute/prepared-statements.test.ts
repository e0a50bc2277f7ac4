/** Where the statements of more plans run than one connection can keep prepared. */
import { expect, test } from 'vitest';
import type { Connection } from '../../../src/workers/database/connection.js';
import { Pool } from '../../../src/workers/database/pool.js';
import { MessageWriter } from '../../../src/workers/database/postgresql/messages.js';
import { PreparedStatements } from '../../../src/workers/database/postgresql/statements.js';
import { SharedConnections } from '../../../src/workers/execute/shared-connections.js';
import { until } from '../../support/program.js';
import { workOf } from './serial-connection.js';

/** A connection that answers at once, and keeps this many statements. */
class KeepingConnection implements Connection {
  readonly isAlive = true;
  readonly inFlight = 0;
  readonly servingSince = 0;
  readonly heardAt = 0;
  readonly isInTransaction = false;
  readonly isStopping = false;
  readonly kept = new Set<string>();
  prepared = 0;
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  canKeep(text: string): boolean {
    return this.kept.size < this.#max || this.kept.has(text);
  }

  send(run: Parameters<Connection['send']>[0]): void {
    const text = run.steps[0]?.statement?.text ?? '';
    if (!this.kept.has(text)) this.prepared += 1;
    if (this.canKeep(text)) this.kept.add(text);
    run.end(undefined, 0);
  }

  takeBackWaiting(): readonly [] {
    return [];
  }

  flush(): void {}
  abandon(): void {}
  pause(): void {}
  resume(): void {}
  destroy(): void {}
  async stop(): Promise<void> {}
  async close(): Promise<void> {}
}

test('a statement runs where it is prepared, and connections are added for those that are not', async () => {
  const opened: KeepingConnection[] = [];
  const pool = new Pool({
    connect: async () => {
      const connection = new KeepingConnection(10);
      opened.push(connection);
      return connection;
    },
    connectionsMax: 8,
    waitMs: 1000,
  });
  const shared = new SharedConnections({
    pool,
    statementTimeoutMs: 0,
    waitMs: 1000,
    onRoom: () => undefined,
    onUnavailable: () => undefined,
  });
  const ask = async (plan: number): Promise<void> => {
    await until('there is room', () => shared.hasRoom);
    await new Promise<unknown>((resolve) => {
      shared.sendOrQueue(workOf(`SELECT ${plan}`, resolve));
    });
  };
  const askAll = async (plans: number): Promise<void> => {
    for (let plan = 0; plan < plans; plan += 1) await ask(plan);
  };
  await askAll(10);
  expect(opened).toHaveLength(1);
  for (let round = 0; round < 5; round += 1) await askAll(30);
  expect(opened).toHaveLength(3);
  expect(opened.map(({ kept }) => kept.size)).toEqual([10, 10, 10]);
  const before = opened.map(({ prepared }) => prepared);
  await askAll(30);
  expect(opened.map(({ prepared }) => prepared)).toEqual(before);
  await askAll(100);
  expect(opened).toHaveLength(4);
  shared.close();
  await pool.close();
});

test('a connection keeps 500 statements of PostgreSQL', () => {
  const statements = new PreparedStatements(true);
  for (let plan = 0; plan < 500; plan += 1) {
    expect(statements.canKeep(`SELECT ${plan}`)).toBe(true);
    statements.prepare(`SELECT ${plan}`, new MessageWriter(), []);
  }
  expect(statements.canKeep('SELECT 500')).toBe(false);
  expect(statements.canKeep('SELECT 0')).toBe(true);
  expect(new PreparedStatements(false).canKeep('SELECT 500')).toBe(true);
});
