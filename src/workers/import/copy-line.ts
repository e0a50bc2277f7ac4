/** A staged row as a line of COPY in text format (PostgreSQL manual, COPY, "Text Format"). */
import { postgresql, type RowField } from '../../engine/index.js';
import type { UnknownParent } from './parent-key.js';

type Texts = readonly (string | null | undefined)[];

/** The row's number, its nesting and its parent's number, then the fields. */
export function copyLine(
  ordinal: number,
  parent: UnknownParent | undefined,
  texts: Texts,
  fields: readonly RowField[],
): string {
  let line = parent
    ? `${ordinal}\t${parent.nesting.number}\t${parent.ordinal}`
    : `${ordinal}\t0\t\\N`;
  for (let index = 0; index < fields.length; index += 1) {
    const text = texts[index];
    if (text === null || text === undefined) line += '\t\\N';
    else line += `\t${fieldText(text, fields[index])}`;
  }
  return `${line}\n`;
}

/** The text of a field as COPY takes it. */
export function fieldText(text: string, field: RowField | undefined): string {
  const type = field?.property.type ?? 'string';
  const written = type === 'string' ? text : postgresql.scalar(text, type);
  return special.test(written) ? written.replace(allSpecial, escaped) : written;
}

const special = /[\\\t\n\r]/;
const allSpecial = /[\\\t\n\r]/g;
const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escaped(character: string): string {
  return escapes[character] ?? '\\\\';
}
