/** The key under which a client may send a write again, and what tells its request from another. */
import { createHash } from 'node:crypto';
import type { KnownProblem } from './errors.js';

const KEY = /^(?! *$)[\x20-\x7e]{1,255}$/;

export type ReadKey =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'problem'; readonly problem: KnownProblem };

/** The key of an `Idempotency-Key` header; the empty text: there is none. */
export function readIdempotencyKey(header: string): ReadKey {
  if (header === '') return { kind: 'none' };
  if (KEY.test(header)) return { kind: 'key', key: header };
  const detail = 'An idempotency key has 1 to 255 printable characters of ASCII.';
  return { kind: 'problem', problem: { code: 'idempotency-key-invalid', detail } };
}

/** The hash of all that a request says, whatever its layout. */
export function fingerprintOf(request: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url');
}
