/** The program with the sample rows on a separate MariaDB database, for a suite. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { makeTemporaryDirectory } from './embedded.js';
import { createMariadbDatabase, describeMariadb, type MariadbDatabase } from './mariadb.js';
import { fillMariadbWithSample, mariadbSampleDocument } from './mariadb-sample.js';
import { type Program, startProgram } from './program.js';

/** Available after the suite has started. */
export interface MariadbProgram {
  readonly database: MariadbDatabase;
  readonly program: Program;
}

/** Declares a suite on MariaDB, whose program is started with these options. */
export function describeMariadbProgram(
  name: string,
  flags: readonly string[],
  suite: (served: MariadbProgram) => void,
): void {
  describeMariadb(name, () => {
    const folder = makeTemporaryDirectory();
    let database: MariadbDatabase | undefined;
    let program: Program | undefined;

    beforeAll(async () => {
      database = await createMariadbDatabase();
      await fillMariadbWithSample(database);
      const schema = join(folder, 'schema.json');
      writeFileSync(schema, JSON.stringify(mariadbSampleDocument(database)));
      program = await startProgram(['--schema', schema, '--workers', '1', ...flags]);
    });
    afterAll(async () => {
      await program?.stop();
      await database?.drop();
      rmSync(folder, { recursive: true });
    });

    suite({
      get database() {
        expect.assert(database);
        return database;
      },
      get program() {
        expect.assert(program);
        return program;
      },
    });
  });
}
