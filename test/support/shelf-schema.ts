/** A schema file for tests that need only a table named `shelf`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes the file into the folder, and returns its path. */
export function writeShelfSchema(folder: string, dialect: string, url: string): string {
  const file = join(folder, 'schema.yaml');
  writeFileSync(
    file,
    `domain:
  version: 1.0.0
  entities:
    - { name: shelf, primaryKey: [id], properties: [{ name: id, type: integer }, { name: name }] }
infrastructure:
  sources: [{ name: main, dialect: ${dialect}, connection: '${url}' }]`,
  );
  return file;
}
