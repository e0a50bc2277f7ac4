/**
 * Reads the key with which a client can repeat a write, and computes the fingerprint of its
 * request.
 */
import { createHash } from 'node:crypto';
import type { Principal } from './access/principal.js';
import { Refusal } from './errors.js';

const KEY = /^(?! *$)[\x20-\x7e]{1,255}$/;

/** The key of an `Idempotency-Key` header; undefined when the header is empty. */
export function readIdempotencyKey(header: string): string | undefined {
  if (header === '' || KEY.test(header)) return header || undefined;
  const detail = 'An idempotency key must have 1 to 255 printable ASCII characters.';
  throw new Refusal('idempotency-key-invalid', detail);
}

/** The key under which an answer is stored: different senders may choose the same key. */
export function ownKey(key: string, principal: Principal | undefined): string {
  return principal ? fingerprintOf([principal.identity, key]) : key;
}

/** The hash of a request's content, whatever its layout. Bytes are hashed as they are. */
export function fingerprintOf(request: readonly unknown[]): string {
  const text = JSON.stringify(request, (_, value: unknown) =>
    value instanceof Uint8Array ? createHash('sha256').update(value).digest('base64url') : value,
  );
  return createHash('sha256').update(text).digest('base64url');
}
