/** The program on a server of its own that holds the sample rows. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddedConnection } from '../../src/embedded/start-embedded.js';
import { makeTemporaryDirectory, startTestCluster } from './embedded.js';
import { type Program, startProgram } from './program.js';
import { connectionUrl, fillWithSample } from './sample.js';

/** A server with the sample rows, and a folder for what a test writes. */
export interface SampleServer {
  readonly connection: EmbeddedConnection;
  readonly url: string;
  /** Starts the program on it. */
  start(flags?: readonly string[]): Promise<Program>;
  /** Writes a file into the folder, and gives its path. */
  write(name: string, content: string): string;
  /** Stops the server, and deletes the folder. */
  stop(): Promise<void>;
}

/** Starts a server and loads the sample rows. */
export async function startSampleServer(): Promise<SampleServer> {
  const cluster = await startTestCluster();
  const { connection } = cluster;
  await fillWithSample(connection);
  const folder = makeTemporaryDirectory();
  const url = connectionUrl(connection);
  return {
    connection,
    url,
    start: (flags = []) => startProgram(['--workers', '2', ...flags], { DATABASE_URL: url }),
    write: (name, content) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
    stop: () => cluster.stop().finally(() => rmSync(folder, { recursive: true, force: true })),
  };
}
