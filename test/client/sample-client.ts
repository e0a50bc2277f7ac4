/** A gateway with the sample domain, and a client of it, for the tests of a file. */
import { afterAll, beforeAll } from 'vitest';
import {
  type Client,
  type ClientOptions,
  createClient,
} from '../../clients/typescript/src/index.js';
import type { Program } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';
import type { Domain } from './domain.js';

export interface SampleClient {
  readonly db: Client<Domain>;
  /** Further clients of the same gateway. */
  readonly options: ClientOptions;
  /** The texts of the queries that the gateway received since the last call. */
  texts(): string[];
}

/** Starts the gateway before the tests of the file, and stops it after them. */
export function useSampleClient(flags: readonly string[] = []): SampleClient {
  let server: SampleServer | undefined;
  let program: Program | undefined;
  const sent: string[] = [];
  beforeAll(async () => {
    server = await startSampleServer();
    program = await server.start(flags);
  });
  afterAll(async () => {
    await program?.stop();
    await server?.stop();
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

function queryIn(body: unknown): string {
  return typeof body === 'string' ? String(JSON.parse(body).query) : '';
}
