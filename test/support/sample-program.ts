/** The program with a separate database that contains the sample rows. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddedConnection } from '../../src/embedded/start-embedded.js';
import { makeTemporaryDirectory } from './embedded.js';
import { type Program, startProgram } from './program.js';
import { connectionUrl, createSampleDatabase } from './sample.js';

/** A database with the sample rows, and a folder for the files of a test. */
export interface SampleServer {
  readonly connection: EmbeddedConnection;
  readonly url: string;
  /** Starts the program with the database. */
  start(flags?: readonly string[]): Promise<Program>;
  /** Writes a file into the folder, and returns its path. */
  write(name: string, content: string): string;
  /** Drops the database, and deletes the folder. */
  stop(): Promise<void>;
}

/** Creates a database with the sample rows. */
export async function startSampleServer(): Promise<SampleServer> {
  const { connection, drop } = await createSampleDatabase();
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
    stop: () => drop().finally(() => rmSync(folder, { recursive: true, force: true })),
  };
}
