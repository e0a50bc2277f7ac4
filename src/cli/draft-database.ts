/** Drafts a schema from the tables of the database behind an address. */
import { type DialectName, draftSchema, type SchemaDraft } from '../engine/index.js';
import { connectTables } from '../workers/database/drivers.js';
import { UsageError } from './arguments.js';

/** A draft, and the database that it is of. */
export interface DatabaseDraft {
  readonly draft: SchemaDraft;
  /** That of the server: an address of `mysql:` may lead to a MariaDB. */
  readonly dialect: DialectName;
}

/** What is drafted. */
export interface DraftedDatabase {
  readonly url: string;
  /** The names of schemas; empty: those that are searched for bare names. */
  readonly schemas: readonly string[];
}

/** Connects for a moment. Throws a UsageError for an address of another kind of database. */
export async function draftDatabase({ url, schemas }: DraftedDatabase): Promise<DatabaseDraft> {
  const connection = await connectTables({ dialect: dialectOfUrl(url), connection: { url } });
  try {
    const { dialect } = connection;
    const tables = await connection.readTables(schemas);
    const draft = draftSchema({ tables, dialect, schemas });
    if (draft.entities.length > 0) return { draft, dialect };
    const where = schemas.length === 0 ? 'the database' : `the schemas ${schemas.join(', ')}`;
    throw new Error(`There are no tables in ${where} that could be mapped.`);
  } finally {
    await connection.close();
  }
}

const dialects: Readonly<Record<string, DialectName>> = {
  'postgres:': 'PostgreSQL',
  'postgresql:': 'PostgreSQL',
  'mysql:': 'MySQL',
  'mariadb:': 'MariaDB',
};

function dialectOfUrl(url: string): DialectName {
  const protocol = /^[a-z]+:(?=\/\/)/i.exec(url)?.[0].toLowerCase() ?? '';
  const dialect = dialects[protocol];
  if (dialect !== undefined) return dialect;
  throw new UsageError(
    'The address of a database begins with postgres://, mysql:// or mariadb://.',
  );
}

/** The names in `a,b`; none of an absent text. */
export function schemaNames(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}
