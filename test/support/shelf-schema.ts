/** A schema file for tests that need only tables with a key and a name. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes the file into the folder, and returns its path. */
export function writeShelfSchema(
  folder: string,
  dialect: string,
  url: string,
  names: readonly string[] = ['shelf'],
): string {
  const file = join(folder, 'schema.yaml');
  const properties = '[{ name: id, type: integer }, { name: name }]';
  const entities = names.map(
    (name) => `    - { name: ${name}, primaryKey: [id], properties: ${properties} }`,
  );
  writeFileSync(
    file,
    `domain:
  version: 1.0.0
  entities:
${entities.join('\n')}
infrastructure:
  sources: [{ name: main, dialect: ${dialect}, connection: '${url}' }]`,
  );
  return file;
}
