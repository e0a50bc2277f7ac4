/** Reads ErrorResponse messages (protocol-error-fields of PostgreSQL's manual). */
import pg from 'pg';

/** The error that the message from `start` to `end` tells, as pg itself makes it. */
export function readErrorResponse(bytes: Buffer, start: number, end: number): pg.DatabaseError {
  const fields = readFields(bytes, start + 5, end);
  const text = (code: string): string | undefined => fields.get(code);
  const error = new pg.DatabaseError(text('M') ?? '', end - start, 'error');
  error.severity = text('S');
  error.code = text('C');
  error.detail = text('D');
  error.hint = text('H');
  error.table = text('t');
  error.column = text('c');
  error.routine = text('R');
  return error;
}

/** Each field is a letter and a text that ends with a zero. */
function readFields(bytes: Buffer, start: number, end: number): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  let at = start;
  while (at < end && bytes[at] !== 0) {
    const stop = bytes.indexOf(0, at + 1);
    fields.set(String.fromCharCode(bytes[at] ?? 0), bytes.toString('utf8', at + 1, stop));
    at = stop + 1;
  }
  return fields;
}
