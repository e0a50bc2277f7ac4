/** The id under which a request is logged and answered. */
import { randomBytes } from 'node:crypto';

const PRINTABLE = /^[\x21-\x7e]{1,128}$/;

/** Of this process: ids of two processes do not meet in one log. */
const processPart = randomBytes(9).toString('base64url');
let count = 0;

/** The client's own id when it is short printable ASCII, else a new one. */
export function requestIdOf(header: string): string {
  if (header !== '' && PRINTABLE.test(header)) return header;
  count += 1;
  return `${processPart}-${count.toString(36)}`;
}
