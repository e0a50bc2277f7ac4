/** Drafts a schema from the tables of a database. */
import { type DialectName, draftSchema, type SchemaDraft, tlsProblem } from '../engine/index.js';
import { ConfigurationError } from '../gateway/option.js';
import { withTables } from '../workers/database/drivers.js';

export interface DatabaseDraft {
  readonly draft: SchemaDraft;
  /** That of the server: an address that begins with `mysql:` may belong to MariaDB. */
  readonly dialect: DialectName;
}

export interface DraftedDatabase {
  readonly url: string;
  /** The names of schemas; if empty, those in which the server looks up unqualified names. */
  readonly schemas: readonly string[];
}

/**
 * Connects only while it reads the tables. Throws a ConfigurationError for an address of an unknown kind or with an
 * unknown parameter for TLS.
 */
export async function draftDatabase({ url, schemas }: DraftedDatabase): Promise<DatabaseDraft> {
  const source = { dialect: dialectOfUrl(url), connection: { url } };
  const { dialect, tables } = await withTables(source, async (connection) => ({
    dialect: connection.dialect,
    tables: await connection.readTables(schemas),
  }));
  const draft = draftSchema({ tables, dialect, schemas });
  if (draft.entities.length > 0) return { draft, dialect };
  const where = schemas.length === 0 ? 'the database' : `the schemas ${schemas.join(', ')}`;
  const lacking = draft.remarks.map(({ place, why }) => `\nNot mapped: ${place}. ${why}`);
  const hint = 'The flag --schemas A,B selects other schemas.';
  throw new Error(
    `There are no tables in ${where} that could be mapped. ${hint}${lacking.join('')}`,
  );
}

const dialects: Readonly<Record<string, DialectName>> = {
  'postgres:': 'PostgreSQL',
  'postgresql:': 'PostgreSQL',
  'mysql:': 'MySQL',
  'mariadb:': 'MariaDB',
};

/** Whether a source of the dialect may be at the address. One with `mysql:` may belong to a MariaDB server, too. */
export function isAddressOf(dialect: DialectName, url: string): boolean {
  return (dialectOfUrl(url) === 'PostgreSQL') === (dialect === 'PostgreSQL');
}

function dialectOfUrl(url: string): DialectName {
  const protocol = /^[a-z]+:(?=\/\/)/i.exec(url)?.[0].toLowerCase() ?? '';
  const dialect = dialects[protocol];
  if (dialect === undefined) {
    throw new ConfigurationError(
      'The address of a database must begin with postgres://, mysql:// or mariadb://.',
    );
  }
  const problem = tlsProblem(url);
  if (problem) throw new ConfigurationError(`${problem.detail} ${problem.hint}`);
  return dialect;
}

/** The names in a list like `a,b`; empty for an absent text. */
export function schemaNames(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}
