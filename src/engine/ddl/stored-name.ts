/** Undoes the quotes of SQL, to know what the catalog holds. */

/** The name inside `quote`s; undefined when `sql` stands bare. */
export function unquoted(sql: string, quote: string): string | undefined {
  if (!sql.startsWith(quote)) return undefined;
  return sql.slice(1, -1).replaceAll(quote + quote, quote);
}
