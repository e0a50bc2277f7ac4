/** A gateway with the sample domain, and a client of it, for the tests of a file. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import {
  type Client,
  type ClientOptions,
  createClient,
} from '../../clients/typescript/src/index.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { createMariadbDatabase } from '../support/mariadb.js';
import { fillMariadbWithSample, mariadbSampleDocument } from '../support/mariadb-sample.js';
import { type Program, startProgram } from '../support/program.js';
import { startSampleServer } from '../support/sample-program.js';
import type { Domain } from './domain.js';

export interface SampleClient {
  readonly db: Client<Domain>;
  /** Further clients of the same gateway. */
  readonly options: ClientOptions;
  /** The texts of the queries that the gateway received since the last call. */
  texts(): string[];
}

export const databases = ['PostgreSQL', 'MariaDB'] as const;

/** Starts the gateway before the tests of the file or suite, and stops it after them. */
export function useSampleClient(database: (typeof databases)[number] = 'PostgreSQL'): SampleClient {
  let program: Program | undefined;
  let dropDatabase = () => Promise.resolve();
  const sent: string[] = [];
  beforeAll(async () => {
    const start = database === 'MariaDB' ? startOnMariadb : startOnPostgresql;
    ({ program, dropDatabase } = await start());
  });
  afterAll(async () => {
    await program?.stop();
    await dropDatabase();
  });
  const options: ClientOptions = {
    get url() {
      return program?.base ?? '';
    },
    fetch: (url, init) => {
      sent.push(queryIn(init?.body));
      return fetch(url, init);
    },
  };
  return { db: createClient<Domain>(options), options, texts: () => sent.splice(0) };
}

interface Started {
  readonly program: Program;
  readonly dropDatabase: () => Promise<void>;
}

async function startOnPostgresql(): Promise<Started> {
  const server = await startSampleServer();
  return { program: await server.start(), dropDatabase: () => server.stop() };
}

async function startOnMariadb(): Promise<Started> {
  const database = await createMariadbDatabase();
  await fillMariadbWithSample(database);
  const folder = makeTemporaryDirectory();
  const schema = join(folder, 'sample.json');
  writeFileSync(schema, JSON.stringify(mariadbSampleDocument(database)));
  return {
    program: await startProgram(['--workers', '2', '--schema', schema]),
    dropDatabase: async () => {
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function queryIn(body: unknown): string {
  return typeof body === 'string' ? String(JSON.parse(body).query) : '';
}
