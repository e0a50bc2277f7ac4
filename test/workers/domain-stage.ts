/** A worker with its own database, on PostgreSQL or MariaDB, that contains the tables of a domain. */
import { afterAll, beforeAll, describe } from 'vitest';
import { type DialectName, loadSchema, type Problem } from '../../src/engine/index.js';
import { push } from '../../src/workers/tasks/ddl.js';
import { createThrowawayDatabase } from '../support/embedded.js';
import { createMariadbDatabase, describeMariadb } from '../support/mariadb.js';
import { startWorker } from './test-worker.js';

export interface DomainStage {
  readonly dialect: DialectName;
  /** The answer to a query. */
  ask(query: string, data?: unknown): Promise<unknown>;
  /** The text of the answer, in which numbers have all their digits. */
  text(query: string, data?: unknown): Promise<string>;
  /** Why a query is refused; undefined if it is not. */
  problem(query: string, data?: unknown): Promise<Problem | undefined>;
  stop(): Promise<void>;
}

/** Declares a suite for the entities, on PostgreSQL and on MariaDB. */
export function describeDomain(
  name: string,
  entities: readonly object[],
  suite: (stage: () => DomainStage) => void,
): void {
  describe(`${name} on PostgreSQL`, () => {
    suite(stageOf('PostgreSQL', entities));
  });
  describeMariadb(name, () => {
    suite(stageOf('MariaDB', entities));
  });
}

function stageOf(dialect: DialectName, entities: readonly object[]): () => DomainStage {
  let stage: DomainStage | undefined;
  beforeAll(async () => {
    stage = await startDomainStage(dialect, entities);
  });
  afterAll(() => stage?.stop());
  return () => {
    if (!stage) throw new Error('The stage has not started.');
    return stage;
  };
}

async function startDomainStage(
  dialect: DialectName,
  entities: readonly object[],
): Promise<DomainStage> {
  const { connection, drop } = await createDatabase(dialect);
  const document = {
    domain: { version: '1.0.0', entities },
    infrastructure: { sources: [{ name: 'default', dialect, connection }] },
  };
  const schema = loadSchema(document);
  await push({ schema, dryRun: false, say: () => undefined });
  const worker = startWorker(document);
  const { gateway } = worker;
  return {
    dialect,
    ask: (query, data) => gateway.rows(query, data),
    text: async (query, data) => (await gateway.execute(query, { data })).text,
    async problem(query, data) {
      try {
        await gateway.execute(query, { data });
        return undefined;
      } catch (error) {
        const problem: unknown = error instanceof Error ? Reflect.get(error, 'problem') : undefined;
        if (isProblem(problem)) return problem;
        throw error;
      }
    },
    async stop() {
      await worker.close();
      await drop();
    },
  };
}

async function createDatabase(dialect: DialectName) {
  if (dialect !== 'PostgreSQL') return createMariadbDatabase();
  return createThrowawayDatabase();
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'code' in value;
}
