/** The id under which a request is logged and answered. */
import { randomUUID } from 'node:crypto';

const PRINTABLE = /^[\x21-\x7e]{1,128}$/;

/** The client's own id when it is short printable ASCII, else a new one. */
export function requestIdOf(header: string): string {
  return header !== '' && PRINTABLE.test(header) ? header : randomUUID();
}
