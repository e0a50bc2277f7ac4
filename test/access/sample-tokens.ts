/** Keys and tokens for tests. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';

export const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();

interface Made {
  readonly algorithm?: string;
  readonly key?: KeyObject | Uint8Array;
  readonly claims?: JWTPayload;
  readonly keyId?: string;
  readonly expires?: number | null;
}

export const now = () => Math.floor(Date.now() / 1000);

/** A token that is signed by a key. */
export function make({
  algorithm = 'RS256',
  key = rsa.privateKey,
  claims,
  keyId,
  expires,
}: Made = {}) {
  const payload = { sub: 'ada', rowgate: { allow: ['schema'] }, ...claims };
  const token = new SignJWT(payload).setProtectedHeader({
    alg: algorithm,
    ...(keyId !== undefined && { kid: keyId }),
  });
  if (expires !== null) token.setExpirationTime(expires ?? now() + 60);
  return token.sign(key);
}
