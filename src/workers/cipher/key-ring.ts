/**
 * Derives 256-bit keys from texts of a schema file. 32 bytes in base64 or hexadecimal are the key
 * itself. Any other text is a passphrase, from which scrypt (RFC 7914) derives the key.
 */
import { scryptSync } from 'node:crypto';
import { EvaluationError } from '../../engine/index.js';

const KEY_BYTES = 32;
/** A separate salt for each text would cost a derivation for each. */
const SALT = 'rowgate:v1';
/** The most keys that are cached; a schema file has few. */
const KEYS_MAX = 64;

/** Derives each key once. */
export class KeyRing {
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
