/** The schema of the sample domain, with its source on a database of the bench. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { DatabaseConnection } from './database.js';

const schema = new URL('../schemas/northwind.yaml', import.meta.url);

/** The document as JSON text, which is also YAML. */
export function sampleSchema(
  dialect: 'PostgreSQL' | 'MariaDB',
  connection: DatabaseConnection,
): string {
  const document: unknown = parse(readFileSync(schema, 'utf8'));
  return JSON.stringify(document, (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'dialect' in value
      ? { ...value, dialect, connection }
      : value,
  );
}
