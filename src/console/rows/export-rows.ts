/** Rows as text for other programs. */
import type { Row } from './columns.js';
import { exactText } from './exact-json.js';

/** JSON, indented. */
export function toJson(rows: readonly unknown[]): string {
  return `${exactText(rows)}\n`;
}

/** According to RFC 4180; included rows are JSON. Null is an empty field, the empty text is `""`. */
export function toCsv(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [names.map(quoted), ...rows.map((row) => names.map((name) => field(row[name])))];
  return lines.map((fields) => `${fields.join(',')}\r\n`).join('');
}

function field(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value === '') return '""';
  return quoted(typeof value === 'string' ? value : exactText(value).replaceAll(/\n\s*/g, ' '));
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
