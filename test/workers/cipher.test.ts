/** `encrypt` and `decrypt`: a value can only be decrypted with the key that it was encrypted with. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCipher } from '../../src/workers/cipher/cipher.js';

const cipher = createCipher();
const key = randomBytes(32).toString('hex');
const sealed = cipher.encrypt('Grüße 😀', key);

test('an encrypted string is decrypted exactly', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const encrypted = cipher.encrypt(text, key);
      expect(encrypted).toMatch(/^v1:[A-Za-z0-9+/]+=*$/);
      expect(cipher.decrypt(encrypted, key)).toBe(text);
    }),
  );
});

test('encrypting a string twice gives different results', () => {
  const all = Array.from({ length: 1000 }, () => cipher.encrypt('same', key));
  expect(new Set(all).size).toBe(1000);
});

describe('a string is refused', () => {
  test('whichever bit of it is changed', () => {
    const bytes = Buffer.from(sealed.slice(3), 'base64');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: bytes.length * 8 - 1 }), (bit) => {
        const changed = Buffer.from(bytes);
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        const text = `v1:${changed.toString('base64')}`;
        expect(() => cipher.decrypt(text, key)).toThrow('changed, or encrypted with another key');
      }),
    );
  });

  test.each([
    ['with another key', sealed, randomBytes(32).toString('hex'), 'another key'],
    ['in the clear', 'plain', key, 'not an encrypted text'],
    ['of another version', sealed.replace('v1', 'v2'), key, 'not an encrypted text'],
    ['that is cut off', sealed.slice(0, 23), key, 'an incomplete encrypted text'],
    ['that is not base64', 'v1:?', key, 'not an encrypted text'],
    ['with an empty key', sealed, '', 'key is empty'],
  ])('%s', (_, text, own, why) => {
    expect(() => cipher.decrypt(text, own)).toThrow(why);
  });

  test('without revealing itself or its key', () => {
    const other = 'a passphrase of somebody';
    try {
      cipher.decrypt(sealed, other);
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toContain(other);
      expect(String(error)).not.toContain(sealed.slice(3, 20));
    }
  });
});

describe('a key', () => {
  test('is the same in hexadecimal digits and in base64', () => {
    const base64 = Buffer.from(key, 'hex').toString('base64');
    expect(cipher.decrypt(sealed, base64)).toBe('Grüße 😀');
  });

  test('may be a passphrase', () => {
    const text = cipher.encrypt('a', 'open sesame');
    expect(createCipher().decrypt(text, 'open sesame')).toBe('a');
    expect(() => cipher.decrypt(text, 'open sesamf')).toThrow('another key');
  });
});
