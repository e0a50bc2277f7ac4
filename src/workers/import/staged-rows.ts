/** Lines of `copy-line.ts` as the texts of rows again, for a database that does not take such lines. */

/** The row's number, its nesting and its parent's number, then the fields. */
export type StagedRow = readonly (string | null)[];

/** Each line as a row. */
export function* stagedRows(lines: string): Generator<StagedRow> {
  let start = 0;
  for (let end = lines.indexOf('\n'); end >= 0; end = lines.indexOf('\n', start)) {
    yield lines.slice(start, end).split('\t').map(fieldOf);
    start = end + 1;
  }
}

function fieldOf(text: string): string | null {
  if (!text.includes('\\')) return text;
  return text === '\\N' ? null : text.replace(/\\(.)/gs, unescaped);
}

const characters: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' };

function unescaped(_: string, character: string): string {
  return characters[character] ?? character;
}
