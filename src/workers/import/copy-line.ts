/**
 * Writes rows as lines of COPY in text format (PostgreSQL manual, COPY, "Text Format"), and records
 * which fields have a value. `npm run bench -- --only import` measures it.
 */
import { dialectOf, type WriteField } from '../../engine/index.js';
import { type ImportRow, textOf } from './row-reader.js';

const postgresql = dialectOf('PostgreSQL');

/**
 * For each field of an entity, whether some row has a value for it, and whether some row has none.
 */
export interface FieldUse {
  readonly isPresent: boolean[];
  readonly isAbsent: boolean[];
}

/**
 * The row's number, its nesting, its parent's number, its fields, its place in the document, and a text with a 1
 * in the place of each absent field. Records their presence in `use`.
 */
export function copyLine({ entity, row, ordinal, waiting }: ImportRow, use: FieldUse): string {
  let line = ordinal === 0 ? '\\N' : String(ordinal);
  line += waiting ? `\t${waiting.nesting.number}\t${waiting.parent.ordinal}` : '\t0\t\\N';
  let absent = '';
  const { fields } = entity;
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index];
    if (!field) continue;
    const text = textOf(row, field.property);
    use[text === undefined ? 'isAbsent' : 'isPresent'][index] = true;
    if (text === undefined) absent = `${absent.padEnd(index, '0')}1`;
    line += text === undefined || text === null ? '\t\\N' : `\t${fieldText(text, field.type)}`;
  }
  return `${line}\t${row.place}\t${absent}\n`;
}

export function placeOfLine(lines: Buffer, row: number): string | undefined {
  return lines.toString().split('\n')[row]?.split('\t').at(-2);
}

function fieldText(text: string, type: WriteField['type']): string {
  const sent = type === 'string' ? text : postgresql.scalar(text, type);
  return special.test(sent) ? sent.replace(allSpecial, escaped) : sent;
}

const special = /[\\\t\n\r]/;
const allSpecial = /[\\\t\n\r]/g;
const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escaped(character: string): string {
  return escapes[character] ?? '\\\\';
}
