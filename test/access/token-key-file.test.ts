/** The file of the key that verifies tokens. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readTokenKey } from '../../src/gateway/access/token-key-file.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { curve, pem, rsa } from './sample-tokens.js';

const small = generateKeyPairSync('rsa', { modulusLength: 1024 });
const der = (key: KeyObject, type: 'spki' | 'pkcs1') => key.export({ type, format: 'der' });
const firstCertificate = readFileSync(
  new URL('../http/certificates/first.crt', import.meta.url),
  'utf8',
);

const folder = makeTemporaryDirectory();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the key for tokens', () => {
  it.each([
    ['short', 'a secret needs at least 32 bytes'],
    [rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 'it is a private key'],
    [`key\n${rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()}`, 'a private key'],
    [JSON.stringify({ keys: [{ kty: 'oct', k: 'AAAA' }] }), 'public keys only'],
    [JSON.stringify([rsa.publicKey.export({ format: 'jwk' })]), 'it is JSON, but not a JWKS'],
    [JSON.stringify(pem(rsa.publicKey).replaceAll('-----', '')), 'it is JSON, but not a JWKS'],
    [`ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ${'C7'.repeat(40)} ada@example`, 'a key of SSH'],
    [`---- BEGIN SSH2 PUBLIC KEY ----\n${'AAAAB3NzaC1y'.repeat(4)}`, 'a key of SSH'],
    [der(rsa.publicKey, 'spki').toString('base64'), 'a key in another encoding'],
    [pem(curve.publicKey).replaceAll(/-----.*-----/g, ''), 'a key in another encoding'],
    [der(rsa.publicKey, 'pkcs1').toString('hex'), 'a key in another encoding'],
    [
      rsa.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64url'),
      'a key in another encoding',
    ],
    [firstCertificate.replaceAll(/-----.*-----/g, ''), 'a key in another encoding'],
    [Buffer.from(pem(rsa.publicKey)).toString('base64'), 'a key in another encoding'],
    [`key: ${der(rsa.publicKey, 'spki').toString('base64')}`, 'a key in another encoding'],
    [
      `data:;base64,${Buffer.from(pem(rsa.publicKey)).toString('base64')}`,
      'a key in another encoding',
    ],
    [
      Buffer.from(JSON.stringify(rsa.publicKey.export({ format: 'jwk' }))).toString('base64'),
      'a key in another encoding',
    ],
    [
      der(rsa.publicKey, 'spki').toString('hex').replaceAll(/../g, '$&:'),
      'a key in another encoding',
    ],
    ['https://issuer.example/.well-known/jwks.json', 'a URL (see --jwt-jwks-url)'],
    [`<RSAKeyValue><Modulus>${'A'.repeat(40)}</Modulus>`, 'a description of a key'],
    [Buffer.from(pem(rsa.publicKey), 'utf16le'), 'text in UTF-16'],
    [pem(small.publicKey), 'an RSA key needs at least 2048 bits, and it has 1024'],
    [JSON.stringify(small.publicKey.export({ format: 'jwk' })), 'needs at least 2048 bits'],
    ['-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', 'cannot be used'],
    [Buffer.alloc(64, 0xff), 'not text in UTF-8'],
  ])('cannot be %s', (content, why) => {
    const file = join(folder, 'wrong');
    writeFileSync(file, content);
    expect(() => readTokenKey(file)).toThrow(why);
  });

  it.each([
    ['public-key', firstCertificate],
    ['public-key', `Certificate:\n    Data:\n${firstCertificate}`],
    ['public-key', pem(curve.publicKey)],
    ['key-set', JSON.stringify(rsa.publicKey.export({ format: 'jwk' }))],
    [
      'key-set',
      JSON.stringify({
        keys: [
          rsa.publicKey.export({ format: 'jwk' }),
          { ...small.publicKey.export({ format: 'jwk' }), use: 'enc' },
        ],
      }),
    ],
    ['secret', '4'.repeat(40)],
    ['secret', Buffer.alloc(32, 7).toString('base64')],
    // The first byte of DER.
    ['secret', Buffer.alloc(32, 0x30).toString('base64')],
    ['secret', Buffer.alloc(32, 0x30).toString('hex')],
  ])('may be a %s: %s', (kind, content) => {
    const file = join(folder, 'right');
    writeFileSync(file, content);
    expect(readTokenKey(file)).toMatchObject({ kind });
  });
});
