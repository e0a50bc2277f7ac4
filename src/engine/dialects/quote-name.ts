/** Decides which names need quotes in SQL, and quotes them. */

const plainName = /^[A-Za-z][A-Za-z0-9_]*$/;

/**
 * Quotes a name of the schema file, unless it is a plain identifier that is not reserved. Quotes inside
 * the name are doubled. A name in double quotes or backticks is always quoted.
 */
export function quoteName(mapping: string, quote: string, reserved: ReadonlySet<string>): string {
  const first = mapping.charAt(0);
  if (mapping.length > 2 && (first === '"' || first === '`') && mapping.endsWith(first)) {
    const name = mapping.slice(1, -1).replaceAll(first + first, first);
    return quoted(name, quote);
  }
  const isBare = plainName.test(mapping) && !reserved.has(mapping.toLowerCase());
  return isBare ? mapping : quoted(mapping, quote);
}

/** The name that `sql` quotes; undefined if it is not quoted. */
export function unquoted(sql: string, quote: string): string | undefined {
  if (!sql.startsWith(quote)) return undefined;
  return sql.slice(1, -1).replaceAll(quote + quote, quote);
}

export function quoted(name: string, quote: string): string {
  return quote + name.replaceAll(quote, quote + quote) + quote;
}
