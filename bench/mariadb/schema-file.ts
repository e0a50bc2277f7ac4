/** The schema of the sample domain, with its source on MariaDB. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseConnection } from '../database.js';
import { sampleSchema } from '../sample-schema.js';

/** Writes it into the folder, and gives its path. */
export function schemaFile(connection: DatabaseConnection, directory: string): string {
  const file = join(directory, 'mariadb.yaml');
  writeFileSync(file, sampleSchema('MariaDB', connection));
  return file;
}
