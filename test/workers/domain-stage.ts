/** A worker with its own database, on PostgreSQL or MariaDB, that contains the tables of a domain. */
import { afterAll, beforeAll, describe } from 'vitest';
import { type DialectName, loadSchema, type Problem } from '../../src/engine/index.js';
import { push } from '../../src/workers/tasks/ddl.js';
import { createThrowawayDatabase, withClient } from '../support/embedded.js';
import { createMariadbDatabase, describeMariadb } from '../support/mariadb.js';
import { startWorker } from './test-worker.js';

export interface DomainStage {
  readonly dialect: DialectName;
  /** The answer to a query. */
  ask(query: string, data?: unknown): Promise<unknown>;
  /** The text of the answer, in which numbers have all their digits. */
  text(query: string, data?: unknown): Promise<string>;
  /** Runs a statement as the user of the database. */
  sql(statement: string): Promise<void>;
  /** Why a query is refused; undefined if it is not. */
  problem(query: string, data?: unknown): Promise<Problem | undefined>;
  stop(): Promise<void>;
}

/** Declares a suite for the entities, on PostgreSQL and on MariaDB. `restricted`: the entities of the view. */
export function describeDomain(
  name: string,
  entities: readonly object[],
  suite: (stage: () => DomainStage) => void,
  restricted: readonly object[] = [],
): void {
  describe(`${name} on PostgreSQL`, () => {
    suite(stageOf('PostgreSQL', entities, restricted));
  });
  describeMariadb(name, () => {
    suite(stageOf('MariaDB', entities, restricted));
  });
}

function stageOf(
  dialect: DialectName,
  entities: readonly object[],
  restricted: readonly object[],
): () => DomainStage {
  let stage: DomainStage | undefined;
  beforeAll(async () => {
    stage = await startDomainStage(dialect, entities, restricted);
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
  restricted: readonly object[],
): Promise<DomainStage> {
  const { connection, run, drop } = await createDatabase(dialect);
  const sources = [{ name: 'default', dialect, connection }];
  const views = [{ name: 'default', entities: restricted }];
  const document = {
    domain: { version: '1.0.0', entities },
    infrastructure: { sources, ...(restricted.length > 0 && { views }) },
  };
  const schema = loadSchema(document);
  await push({ schema, dryRun: false, say: () => undefined });
  const worker = startWorker(document);
  const { gateway } = worker;
  return {
    dialect,
    ask: (query, data) => gateway.rows(query, data),
    text: async (query, data) => (await gateway.execute(query, { data })).text,
    sql: run,
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
  if (dialect !== 'PostgreSQL') {
    const { connection, withClient: connected, drop } = await createMariadbDatabase();
    const run = async (statement: string) => {
      await connected((client) => client.query(statement));
    };
    return { connection, run, drop };
  }
  const { connection, drop } = await createThrowawayDatabase();
  const run = async (statement: string) => {
    await withClient(connection, (client) => client.query(statement));
  };
  return { connection, run, drop };
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'code' in value;
}
