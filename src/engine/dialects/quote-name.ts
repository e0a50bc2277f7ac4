/** Which names may stand bare in SQL, and how the others are quoted. */

const plainName = /^[A-Za-z][A-Za-z0-9_]*$/;

/**
 * `mapping` bare when it is a plain identifier that is not reserved; quoted otherwise, the quote
 * doubled inside. A mapping written in double quotes or backticks is quoted to the letter.
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

/** The name that `sql` quotes; undefined when it stands bare. */
export function unquoted(sql: string, quote: string): string | undefined {
  if (!sql.startsWith(quote)) return undefined;
  return sql.slice(1, -1).replaceAll(quote + quote, quote);
}

/** `name` in quotes, whatever it is. */
export function quoted(name: string, quote: string): string {
  return quote + name.replaceAll(quote, quote + quote) + quote;
}
