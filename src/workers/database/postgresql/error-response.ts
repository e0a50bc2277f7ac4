/** Reads ErrorResponse messages (PostgreSQL manual, protocol-error-fields). */
import pg from 'pg';
import { HEADER_BYTES } from './deframer.js';

/** pg's names of the fields, by their letters. */
const properties = {
  // Never translated, unlike the field S.
  V: 'severity',
  C: 'code',
  D: 'detail',
  H: 'hint',
  P: 'position',
  p: 'internalPosition',
  q: 'internalQuery',
  W: 'where',
  s: 'schema',
  t: 'table',
  c: 'column',
  d: 'dataType',
  n: 'constraint',
  F: 'file',
  L: 'line',
  R: 'routine',
} as const;

/** The error of the message from `start` to `end`, as pg would create it. */
export function readErrorResponse(bytes: Buffer, start: number, end: number): pg.DatabaseError {
  const fields = readFields(bytes.subarray(start + HEADER_BYTES, end));
  const error = new pg.DatabaseError(fields.get('M') ?? '', end - start - 1, 'error');
  for (const [code, property] of Object.entries(properties)) error[property] = fields.get(code);
  return error;
}

/** Whether the server closes the connection after the error. */
export function isFatal({ severity }: pg.DatabaseError): boolean {
  return severity === 'FATAL' || severity === 'PANIC';
}

/** Each field is a letter and a text that ends with a zero byte. */
function readFields(bytes: Buffer): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  let at = 0;
  while (at < bytes.length && bytes[at] !== 0) {
    const stop = bytes.indexOf(0, at + 1);
    if (stop === -1) break;
    fields.set(String.fromCharCode(bytes[at] ?? 0), bytes.toString('utf8', at + 1, stop));
    at = stop + 1;
  }
  return fields;
}
