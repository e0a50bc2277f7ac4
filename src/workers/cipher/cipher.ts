/**
 * `encrypt` and `decrypt` for the schema's expressions: AES-256-GCM (NIST SP 800-38D) with a random
 * 96-bit nonce for each text. An encrypted text is `v1:` followed by the nonce, the cipher text and
 * the tag in base64.
 */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { type Cipher, EvaluationError } from '../../engine/index.js';

const ALGORITHM = 'aes-256-gcm';
const VERSION = 'v1:';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The cipher of a thread, which caches derived keys. */
export function createCipher(): Cipher {
  const keys = new KeyRing();
  return {
    encrypt: (text, key) => encrypt(text, keys.keyOf(key)),
    decrypt: (text, key) => decrypt(text, keys.keyOf(key)),
  };
}

function encrypt(text: string, key: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final()]);
  return VERSION + Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64');
}

function decrypt(text: string, key: Buffer): string {
  const bytes = bytesOf(text);
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const end = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(end));
  try {
    const plain = [decipher.update(bytes.subarray(NONCE_BYTES, end)), decipher.final()];
    return Buffer.concat(plain).toString('utf8');
  } catch {
    throw unreadable('The text was changed, or encrypted with another key.');
  }
}

function bytesOf(text: string): Buffer {
  const encoded = text.slice(VERSION.length);
  if (!text.startsWith(VERSION) || !base64.test(encoded)) {
    throw unreadable('It is not an encrypted text.');
  }
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length < NONCE_BYTES + TAG_BYTES)
    throw unreadable('It is an incomplete encrypted text.');
  return bytes;
}

/** The message contains neither the text nor the key. */
function unreadable(why: string): EvaluationError {
  return new EvaluationError('value-unreadable', why);
}

const KEY_BYTES = 32;
/** A separate salt for each text would cost a derivation for each. */
const SALT = 'rowgate:v1';
/** The most keys that are cached; a schema file has few. */
const KEYS_MAX = 64;

/**
 * Derives each 256-bit key of a schema file once. 32 bytes in base64 or hexadecimal are the key itself. Any other text is a
 * passphrase, from which scrypt (RFC 7914) derives the key.
 */
class KeyRing {
  readonly #keys = new Map<string, Buffer>();

  /** Throws for an empty string. */
  keyOf(text: string): Buffer {
    const known = this.#keys.get(text);
    if (known) return known;
    if (text === '') throw new EvaluationError('schema-invalid', 'The key is empty.');
    if (this.#keys.size >= KEYS_MAX) this.#keys.clear();
    const key = plainKey(text) ?? scryptSync(text, SALT, KEY_BYTES, { N: 16_384, r: 8, p: 1 });
    this.#keys.set(text, key);
    return key;
  }
}

function plainKey(text: string): Buffer | undefined {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9+/]{43}=$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}
