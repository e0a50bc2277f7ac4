/**
 * Reads the key that verifies tokens from its file. What looks like a key in another form is not used as a secret,
 * because others know a public key and could sign tokens with it.
 */
import { isUtf8 } from 'node:buffer';
import {
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  X509Certificate,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { messageOf, unusable } from '../error-message.js';
import { isObject, jsonIn } from '../json-value.js';

/** A key, and the algorithms of the signatures that it may verify. */
export type TokenKey = { readonly algorithms: readonly string[] } & (
  | { readonly kind: 'key-set'; readonly keys: readonly JsonWebKey[] }
  | { readonly kind: 'public-key'; readonly key: KeyObject }
  | { readonly kind: 'secret'; readonly bytes: Uint8Array }
);

const RSA = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
const EDWARDS = ['EdDSA', 'Ed25519'];
const SYMMETRIC = ['HS256', 'HS384', 'HS512'];
const CURVES: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};
/** The algorithms of the keys in a JWKS. */
export const ASYMMETRIC = [...RSA, 'ES256', 'ES384', 'ES512', ...EDWARDS];

const SECRET_BYTES_MIN = 32;
/** The library that verifies tokens accepts no smaller ones. */
const RSA_BITS_MIN = 2048;

/** Reads a JWKS, a public key or a certificate in PEM, or a secret. Throws an Error that names the file. */
export function readTokenKey(path: string): TokenKey {
  try {
    const bytes = readFileSync(path);
    if (!isUtf8(bytes)) throw new Error('it is not text in UTF-8');
    return keyIn(bytes.toString().trim());
  } catch (cause) {
    throw unusable(`The key for tokens in ${path}`, cause);
  }
}

function keyIn(text: string): TokenKey {
  if (text.startsWith('{')) return readKeySet(JSON.parse(text));
  if (text.includes('PRIVATE KEY')) throw new Error('it is a private key');
  // Programs write descriptions before it.
  const start = text.indexOf('-----BEGIN');
  return start < 0 ? readSecret(text) : readPublicKey(text.slice(start));
}

function readKeySet(content: unknown): TokenKey {
  const listed: unknown = isObject(content) ? content['keys'] : undefined;
  const keys: readonly unknown[] = Array.isArray(listed) ? listed : [content];
  const publicKeys = keys.filter(isPublicKey);
  if (publicKeys.length < keys.length) throw new Error('a JWKS may contain public keys only');
  for (const key of publicKeys) {
    const isUsed = key['use'] === undefined || key['use'] === 'sig';
    if (isUsed && key['kty'] === 'RSA') requireUsable(key);
  }
  return { kind: 'key-set', algorithms: ASYMMETRIC, keys: publicKeys };
}

function requireUsable(key: JsonWebKey): void {
  try {
    requireLength(createPublicKey({ key, format: 'jwk' }));
  } catch (cause) {
    throw new Error(`of its key '${String(key['kid'] ?? '')}': ${messageOf(cause)}`, { cause });
  }
}

function isPublicKey(key: unknown): key is JsonWebKey {
  return isObject(key) && key['kty'] !== 'oct' && !('d' in key);
}

function readPublicKey(pem: string): TokenKey {
  const key = createPublicKey(pem);
  requireLength(key);
  return { kind: 'public-key', algorithms: algorithmsOf(key), key };
}

function algorithmsOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): readonly string[] {
  if (asymmetricKeyType === 'rsa') return RSA;
  if (asymmetricKeyType === 'ed25519') return EDWARDS;
  const algorithm = CURVES[asymmetricKeyDetails?.namedCurve ?? ''];
  if (algorithm !== undefined) return [algorithm];
  throw new Error(`keys of type ${asymmetricKeyType ?? 'secret'} are not supported`);
}

function requireLength({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): void {
  const { modulusLength = 0 } = asymmetricKeyDetails ?? {};
  if (asymmetricKeyType !== 'rsa' || modulusLength >= RSA_BITS_MIN) return;
  throw new Error(`an RSA key needs at least ${RSA_BITS_MIN} bits, and it has ${modulusLength}`);
}

function readSecret(text: string): TokenKey {
  const found = forms.find(({ matches }) => matches(text));
  if (found) throw new Error(`it is ${found.name}, which cannot be used as a secret`);
  const bytes = new TextEncoder().encode(text);
  if (bytes.length < SECRET_BYTES_MIN) {
    throw new Error(`a secret needs at least ${SECRET_BYTES_MIN} bytes`);
  }
  return { kind: 'secret', algorithms: SYMMETRIC, bytes };
}

/** Other forms of keys. */
const forms: readonly { readonly name: string; readonly matches: (text: string) => boolean }[] = [
  { name: 'JSON, but not a JWKS', matches: isJson },
  {
    name: 'a key of SSH',
    matches: (text) => /^---- BEGIN |(?:^|\s)(?:sk-)?(?:ssh|ecdsa)-\S+\s+AAAA/.test(text),
  },
  { name: 'text in UTF-16', matches: (text) => text.includes('\0') },
  { name: 'a URL (see --jwt-jwks-url)', matches: (text) => /^https?:\/\//i.test(text) },
  {
    name: 'a description of a key',
    matches: (text) => /<RSAKeyValue|\bmodulus\b|\bkty\b/i.test(text),
  },
  { name: 'a key in another encoding', matches: isEncodedKey },
];

/** Whether the text is a key in base64 or hexadecimal digits, perhaps after a label. */
function isEncodedKey(text: string): boolean {
  const [, code = text] = /^(?:data:[^,]*,|[\w-]+:\s)\s*(.*)$/s.exec(text) ?? [];
  const hex = code.replaceAll(/[\s:]/g, '');
  if (/^[\da-f]+$/i.test(hex) && isDer(Buffer.from(hex, 'hex'))) return true;
  const bytes = Buffer.from(code, 'base64');
  const decoded = bytes.toString();
  return (
    isDer(bytes) || decoded.includes('-----BEGIN') || (/^\s*[[{]/.test(decoded) && isJson(decoded))
  );
}

/** A secret may consist of digits. */
function isJson(text: string): boolean {
  const value = jsonIn(text);
  return value !== undefined && typeof value !== 'number';
}

function isDer(key: Buffer): boolean {
  // The tag of a sequence, with which all of them begin.
  if (key[0] !== 0x30) return false;
  const readers = [
    () => new X509Certificate(key),
    ...(['spki', 'pkcs1'] as const).map(
      (type) => () => createPublicKey({ key, format: 'der', type }),
    ),
    ...(['pkcs8', 'pkcs1', 'sec1'] as const).map(
      (type) => () => createPrivateKey({ key, format: 'der', type }),
    ),
  ];
  return readers.some((read) => {
    try {
      return read() !== undefined;
    } catch {
      return false;
    }
  });
}
