/** The id under which a request is logged and answered. */
import { randomBytes } from 'node:crypto';

const PRINTABLE = /^[\x21-\x7e]{1,128}$/;

/** The prefix of generated ids, so that ids of two processes differ in one log. */
const PREFIX = `${randomBytes(9).toString('base64url')}-`;
let count = 0;

/** The client's own id if it is short printable ASCII, otherwise a new one. */
export function requestIdOf(header: string): string {
  if (header !== '' && PRINTABLE.test(header)) return header;
  count += 1;
  return PREFIX + count.toString(36);
}
