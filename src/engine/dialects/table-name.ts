/** The tables of schema files: `billing.invoice` names schema and table, each as a name of its own. */

/** A table as the catalog names it. */
export interface StoredTable {
  /** Undefined: wherever the connection looks for tables. */
  readonly schema: string | undefined;
  readonly name: string;
}

/** How a dialect writes a name of the schema file in SQL. */
interface QuotesNames {
  quoteName(mapping: string): string;
}

/** How its catalog has such a name. */
interface StoresNames {
  storedName(mapping: string): string;
}

/** A table of the schema file, with its schema where it names one, as it stands in SQL. */
export function quoteTable(dialect: QuotesNames, mapping: string): string {
  return partsOf(mapping)
    .map((part) => dialect.quoteName(part))
    .join('.');
}

/** The names that the catalog has for a table of the schema file. */
export function storedTable(dialect: StoresNames, mapping: string): StoredTable {
  const stored = partsOf(mapping).map((part) => dialect.storedName(part));
  return { schema: stored.length > 1 ? stored[0] : undefined, name: stored.at(-1) ?? mapping };
}

const part = '("(?:[^"]|"")+"|`(?:[^`]|``)+`|[^."`]+)';
const qualified = new RegExp(`^${part}\\.${part}$`);

/** A table whose name has a dot is written in quotes (`"a.b"`). */
function partsOf(mapping: string): readonly string[] {
  const [, schema, table] = qualified.exec(mapping) ?? [];
  return schema === undefined || table === undefined ? [mapping] : [schema, table];
}
