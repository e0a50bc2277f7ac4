/** Names of tables in schema files: in `billing.invoice`, schema and table are quoted separately. */
import type { ExpressionDialect } from './expression-dialect.js';

/** A table's names in the database's catalog. */
export interface StoredTable {
  /** Undefined if the table is found by its unqualified name. */
  readonly schema: string | undefined;
  readonly name: string;
}

/** A table of the schema file as SQL, with its schema if it names one. */
export function quoteTable(dialect: Pick<ExpressionDialect, 'quoteName'>, mapping: string): string {
  return partsOf(mapping)
    .map((part) => dialect.quoteName(part))
    .join('.');
}

/** The catalog's names for a table of the schema file. */
export function storedTable(
  dialect: Pick<ExpressionDialect, 'storedName'>,
  mapping: string,
): StoredTable {
  const stored = partsOf(mapping).map((part) => dialect.storedName(part));
  return { schema: stored.length > 1 ? stored[0] : undefined, name: stored.at(-1) ?? mapping };
}

const part = '("(?:[^"]|"")+"|`(?:[^`]|``)+`|[^."`]+)';
const qualified = new RegExp(`^${part}\\.${part}$`);

/**
 * Splits a name into schema and table. A table whose name contains a dot is written in quotes
 * (`"a.b"`).
 */
function partsOf(mapping: string): readonly string[] {
  const [, schema, table] = qualified.exec(mapping) ?? [];
  return schema === undefined || table === undefined ? [mapping] : [schema, table];
}
