/** Rows as lines of COPY in text format (PostgreSQL manual, COPY, "Text Format"). */
import { postgresql, type WriteField } from '../../engine/index.js';
import type { ImportRow } from './row-reader.js';

type Texts = readonly (string | null | undefined)[];

/** The row's number, its nesting and its parent's number, then its fields. */
export function copyLine(
  { ordinal, waiting }: ImportRow,
  texts: Texts,
  fields: readonly WriteField[],
) {
  let line = ordinal === 0 ? '\\N' : String(ordinal);
  line += waiting ? `\t${waiting.nesting.number}\t${waiting.parent.ordinal}` : '\t0\t\\N';
  for (let index = 0; index < texts.length; index += 1) {
    const text = texts[index] ?? null;
    line += text === null ? '\t\\N' : `\t${fieldText(text, fields[index]?.type ?? 'string')}`;
  }
  return `${line}\n`;
}

function fieldText(text: string, type: WriteField['type']): string {
  const written = type === 'string' ? text : postgresql.scalar(text, type);
  return special.test(written) ? written.replace(allSpecial, escaped) : written;
}

const special = /[\\\t\n\r]/;
const allSpecial = /[\\\t\n\r]/g;
const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escaped(character: string): string {
  return escapes[character] ?? '\\\\';
}
