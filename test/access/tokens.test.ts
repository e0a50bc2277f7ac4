/** Which tokens are accepted, on both HTTP servers. */
import {
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadSchema } from '../../src/engine/index.js';
import { digestOf, makeKey } from '../../src/gateway/access/keys-file.js';
import { connectRaw } from '../http/raw-client.js';
import { sampleSchema } from '../http/sample-schema.js';
import { startOnFakeWorker, type StartedGateway } from '../http/start.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeServers } from '../support/http-servers.js';

const SECRET = 'a secret of more than thirty-two bytes, for tests';
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const curve384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const curve521 = generateKeyPairSync('ec', { namedCurve: 'P-521' });
const edwards = generateKeyPairSync('ed25519');
const small = generateKeyPairSync('rsa', { modulusLength: 1024 });
const folder = makeTemporaryDirectory();
const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const der = (key: KeyObject, type: 'spki' | 'pkcs1') => key.export({ type, format: 'der' });
const certificateFile = (name: string) =>
  fileURLToPath(new URL(`../http/certificates/${name}`, import.meta.url));
const firstCertificate = readFileSync(certificateFile('first.crt'), 'utf8');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

let started: StartedGateway | undefined;
afterEach(async () => {
  await started?.gateway.close();
  started = undefined;
});

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

interface Made {
  readonly algorithm?: string;
  readonly key?: KeyObject | Uint8Array;
  readonly claims?: JWTPayload;
  readonly keyId?: string;
  readonly expires?: number | null;
}

const now = () => Math.floor(Date.now() / 1000);

function make({ algorithm = 'RS256', key = rsa.privateKey, claims, keyId, expires }: Made = {}) {
  const payload = { sub: 'ada', rowgate: { allow: ['schema'] }, ...claims };
  const token = new SignJWT(payload).setProtectedHeader({
    alg: algorithm,
    ...(keyId !== undefined && { kid: keyId }),
  });
  if (expires !== null) token.setExpirationTime(expires ?? now() + 60);
  return token.sign(key);
}

/** A token with a signature made by `sign`. */
function forged(header: object, claims: object, sign: (text: string) => string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${sign(text)}`;
}

const claims = { sub: 'ada', exp: now() + 600, rowgate: { allow: ['schema'] } };

async function send(token: string, path = '/entities', init: RequestInit = {}) {
  const { base } = started ?? { base: '' };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(base + path, { ...init, headers });
  const text = await response.text();
  return { status: response.status, text };
}

describeServers('a token, on %s,', (server) => {
  const start = async (...flags: readonly string[]) => {
    started = await startOnFakeWorker(server, flags);
  };

  describe('with a public key', () => {
    const startWithKey = (key: KeyObject = rsa.publicKey) =>
      start('--jwt-key-file', write('public.pem', pem(key)));

    it.each([
      ['RS256', rsa],
      ['PS512', rsa],
      ['ES256', curve],
      ['ES384', curve384],
      ['ES512', curve521],
      ['EdDSA', edwards],
    ] as const)(
      'is accepted if it is signed by %s',
      async (algorithm, { publicKey, privateKey }) => {
        await startWithKey(publicKey);
        const token = await make({ algorithm, key: privateKey });
        // The second time, it was verified before.
        for (let round = 0; round < 2; round += 1) expect((await send(token)).status).toBe(200);
      },
    );

    it('is refused without a signature, or with one by another key', async () => {
      await startWithKey();
      const publicText = pem(rsa.publicKey);
      const hmac = (secret: string) => (text: string) =>
        createHmac('sha256', secret).update(text).digest('base64url');
      const tokens = [
        forged({ alg: 'none' }, claims, () => ''),
        forged({ alg: 'NONE', typ: 'JWT' }, claims, () => 'x'),
        // The public key, used as a secret.
        forged({ alg: 'HS256' }, claims, hmac(publicText)),
        forged({ alg: 'HS256' }, claims, hmac(publicText.trim())),
        forged({ alg: 'RS256' }, claims, hmac(publicText)),
        await make({ key: other.privateKey }),
        await make({ algorithm: 'ES256', key: curve.privateKey }),
        // The key of the attacker, inside the token.
        forged({ alg: 'RS256', jwk: await exportJWK(other.publicKey) }, claims, () => 'AAAA'),
        `${await make()}x`,
        'a.b.c',
        'a',
      ];
      for (const token of tokens) {
        expect(await send(token)).toMatchObject({ status: 401 });
      }
    });

    it('is refused after it has expired, except for a difference between the clocks', async () => {
      await startWithKey();
      const within = await send(await make({ expires: now() - 5 }));
      const beyond = await send(await make({ expires: now() - 60 }));
      expect([within.status, beyond.status]).toEqual([200, 401]);
      expect(beyond.text).toContain('The token has expired.');
    });

    it('is refused before its start, and without an expiry time or a subject', async () => {
      await startWithKey();
      const tokens = [
        make({ claims: { nbf: now() + 120 } }),
        make({ expires: null }),
        make({ claims: { sub: '' } }),
        ...[7, true, ['ada'], { name: 'ada' }].map(async (sub) =>
          forged({ alg: 'RS256' }, { ...claims, sub }, (text) =>
            sign('sha256', Buffer.from(text), rsa.privateKey).toString('base64url'),
          ),
        ),
      ];
      for (const token of await Promise.all(tokens)) {
        expect(await send(token)).toMatchObject({ status: 401 });
      }
    });

    it('allows only what its claim says', async () => {
      await startWithKey();
      const statuses = async (rowgate: unknown) => {
        const token = await make({ claims: { rowgate } });
        return [(await send(token)).status, (await send(token, '/metrics')).status];
      };
      expect(await statuses({ allow: ['schema'] })).toEqual([200, 403]);
      expect(await statuses({})).toEqual([403, 403]);
      const wrong = [
        ...[undefined, null, 'all', [], { alow: [] }, { allow: ['all'] }, { view: 1 }],
        ...[null, 'rows', [], { rows: -1 }, { rows: 1.5 }, { rows: '5' }, { rows: 1e300 }].map(
          (limits) => ({ allow: ['schema'], limits }),
        ),
        ...[-1, 0, '5', null, 1e300].map((rate) => ({ allow: ['schema'], rate })),
        { allow: ['schema'], settings: { search_path: 'x' } },
        { allow: ['schema'], expires: '2099-01-01' },
      ];
      for (const each of wrong) {
        expect(await statuses(each)).toEqual([403, 403]);
      }
    });

    it('may be followed by a body of any size before it is verified', async () => {
      await startWithKey();
      for (const length of [10, 300_000]) {
        const data = JSON.stringify({ text: 'x'.repeat(length) });
        const body = JSON.stringify({ query: 'Orders', data });
        const answer = await send(await make(), '/execute', { method: 'POST', body });
        expect(answer.status).toBe(200);
        expect(answer.text).toContain(`"data":${JSON.stringify(data)}`);
      }
    });

    it('must have the configured issuer and audience', async () => {
      const file = write('public.pem', pem(rsa.publicKey));
      await start(
        ...['--jwt-key-file', file, '--jwt-issuer', 'https://id.example'],
        ...['--jwt-audience', 'rowgate'],
      );
      const right = { iss: 'https://id.example', aud: ['rowgate', 'others'] };
      const status = async (own: JWTPayload) => (await send(await make({ claims: own }))).status;
      expect(await status(right)).toBe(200);
      expect(await status({ ...right, iss: 'https://evil.example' })).toBe(401);
      expect(await status({ ...right, aud: 'others' })).toBe(401);
      expect(await status({})).toBe(401);
    });
  });

  it('is accepted if it is signed with the secret, and by no other algorithm', async () => {
    await start('--jwt-key-file', write('secret', `${SECRET}\n`));
    const key = new TextEncoder().encode(SECRET);
    expect(await send(await make({ algorithm: 'HS256', key }))).toMatchObject({ status: 200 });
    const wrong = new TextEncoder().encode(`${SECRET}!`);
    expect(await send(await make({ algorithm: 'HS256', key: wrong }))).toMatchObject({
      status: 401,
    });
    expect(await send(await make())).toMatchObject({ status: 401 });
    expect(await send(forged({ alg: 'none' }, claims, () => ''))).toMatchObject({ status: 401 });
  });

  it.each(['HS384', 'HS512'])(
    'is accepted if it is signed with the secret by %s',
    async (algorithm) => {
      await start('--jwt-key-file', write('secret', SECRET), '--jwt-claim', 'grants');
      const key = new TextEncoder().encode(SECRET);
      const own = { claims: { rowgate: undefined, grants: { allow: ['schema'] } } };
      expect(await send(await make({ algorithm, key, ...own }))).toMatchObject({ status: 200 });
      expect(await send(await make({ algorithm, key }))).toMatchObject({ status: 403 });
    },
  );

  it('is verified by a public key with text before it, which is never a secret', async () => {
    const text = `Bag Attributes\n    friendlyName: tokens\n${pem(rsa.publicKey)}`;
    await start('--jwt-key-file', write('bag.pem', text));
    expect(await send(await make())).toMatchObject({ status: 200 });
    const key = new TextEncoder().encode(text.trim());
    expect(await send(await make({ algorithm: 'HS256', key }))).toMatchObject({ status: 401 });
  });

  it('is verified by a JWKS in a file, or by a certificate', async () => {
    const keys = [{ ...(await exportJWK(rsa.publicKey)), kid: 'one' }];
    await start('--jwt-key-file', write('jwks.json', JSON.stringify({ keys })));
    expect(await send(await make({ keyId: 'one' }))).toMatchObject({ status: 200 });
    await started?.gateway.close();
    await start('--jwt-key-file', certificateFile('first.crt'));
    const key = createPrivateKey(readFileSync(certificateFile('first.key')));
    const algorithm = key.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256';
    expect(await send(await make({ key, algorithm }))).toMatchObject({ status: 200 });
    expect(await send(await make())).toMatchObject({ status: 401 });
  });

  it('is verified by each key of a JWKS that may be meant', async () => {
    const keys = await Promise.all([other, rsa].map(({ publicKey }) => exportJWK(publicKey)));
    await start('--jwt-key-file', write('jwks.json', JSON.stringify({ keys })));
    const third = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const statuses = [rsa, other, third].map(
      async ({ privateKey: key }) => (await send(await make({ key }))).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 401]);
    const expired = await send(await make({ expires: now() - 60 }));
    expect(expired.text).toContain('The token has expired.');
  });

  it('is verified by another key after a reload', async () => {
    const file = write('rotated.pem', pem(rsa.publicKey));
    await start('--jwt-key-file', file);
    const [old, next] = [await make(), await make({ key: other.privateKey })];
    expect([(await send(old)).status, (await send(next)).status]).toEqual([200, 401]);
    write('rotated.pem', 'too short');
    const reload = () => started?.gateway.reload(loadSchema(sampleSchema));
    await expect(reload()).rejects.toThrow('a secret needs');
    expect((await send(old)).status).toBe(200);
    write('rotated.pem', pem(other.publicKey));
    await reload();
    expect([(await send(old)).status, (await send(next)).status]).toEqual([401, 200]);
  });

  describe('with a JWKS that is fetched', () => {
    let keys: readonly JWK[] = [];
    let fetched = 0;
    /** Set while the JWKS waits: sends it. */
    let release: (() => void) | undefined;
    let isHeld = false;
    let jwks: Server;
    let url = '';
    const named = async (key: KeyObject, kid: string) => ({ ...(await exportJWK(key)), kid });

    beforeAll(async () => {
      jwks = createServer((_request, response) => {
        fetched += 1;
        if (keys.length === 0) response.statusCode = 500;
        const answer = () => response.end(JSON.stringify({ keys }));
        if (isHeld) release = answer;
        else answer();
      });
      await new Promise<void>((resolve) => jwks.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(jwks.address() as AddressInfo).port}/keys`;
    });
    afterEach(() => (isHeld = false));
    afterAll(() => jwks.close());

    it('is verified by the key that it names, which is fetched once', async () => {
      keys = [await named(rsa.publicKey, 'one'), await named(curve.publicKey, 'two')];
      fetched = 0;
      await start('--jwt-jwks-url', url);
      expect(await send(await make({ keyId: 'one' }))).toMatchObject({ status: 200 });
      const second = { algorithm: 'ES256', key: curve.privateKey, keyId: 'two' };
      expect(await send(await make(second))).toMatchObject({ status: 200 });
      expect(await send(await make({ key: other.privateKey, keyId: 'one' }))).toMatchObject({
        status: 401,
      });
      expect(await send(await make({ keyId: 'none' }))).toMatchObject({ status: 401 });
      expect(fetched).toBe(1);
    });

    it('is trusted for five minutes, and its JWKS is fetched again after ten', async () => {
      keys = [await named(rsa.publicKey, 'one')];
      fetched = 0;
      await start('--jwt-jwks-url', url);
      const token = await make({ keyId: 'one', expires: now() + 3600 });
      const statusAfter = async (minutes: number, sent = token) => {
        vi.setSystemTime(begin + minutes * 60_000);
        return [(await send(sent)).status, fetched];
      };
      const begin = Date.now();
      vi.useFakeTimers({ toFake: ['Date'] });
      try {
        expect(await statusAfter(0)).toEqual([200, 1]);
        keys = [await named(other.publicKey, 'two')];
        expect(await statusAfter(4.9)).toEqual([200, 1]);
        expect(await statusAfter(5.1)).toEqual([200, 1]);
        expect(await statusAfter(10.3)).toEqual([401, 2]);
        // A token with another name of a key: at most every ten seconds.
        keys = [await named(rsa.publicKey, 'three')];
        const third = await make({ keyId: 'three', expires: now() + 3600 });
        expect(await statusAfter(10.4, third)).toEqual([401, 2]);
        expect(await statusAfter(10.5, third)).toEqual([200, 3]);
      } finally {
        vi.useRealTimers();
      }
    });

    it('is verified by the last JWKS while it cannot be fetched, for a day', async () => {
      keys = [await named(rsa.publicKey, 'one')];
      fetched = 0;
      const list = write('kept.json', JSON.stringify({ keys: [] }));
      await start('--jwt-jwks-url', url, '--keys-file', list);
      const status = async (claims: JWTPayload = {}, keyId = 'one') =>
        (await send(await make({ keyId, claims, expires: now() + 3600 }))).status;
      expect(await status()).toBe(200);
      keys = [];
      await started?.gateway.reload(loadSchema(sampleSchema));
      expect([await status({ sub: 'eve' }), fetched]).toEqual([200, 1]);
      const key = makeKey();
      write('kept.json', JSON.stringify({ keys: [{ name: 'new', hash: digestOf(key) }] }));
      await expect.poll(async () => (await send(key)).status, { timeout: 5000 }).toBe(403);
      expect([await status({ sub: 'bob' }), fetched]).toEqual([200, 1]);
      const begin = Date.now();
      vi.useFakeTimers({ toFake: ['Date'] });
      try {
        vi.setSystemTime(begin + 11 * 60_000);
        expect([await status({ sub: 'kim' }), fetched]).toEqual([200, 2]);
        // The next fetch waits for ten seconds.
        expect([await status({ sub: 'lee' }), fetched]).toEqual([200, 2]);
        const failed = { kind: 'jwks-unavailable', cause: expect.anything() };
        expect(started?.observations).toContainEqual(failed);
        // Perhaps the issuer has this key by now.
        expect(await status({}, 'two')).toBe(503);
        vi.setSystemTime(begin + 25 * 3_600_000);
        expect(await status({ sub: 'max' })).toBe(503);
      } finally {
        vi.useRealTimers();
      }
    });

    it('leaves nothing running if its client leaves before it is verified', async () => {
      keys = [await named(rsa.publicKey, 'one')];
      isHeld = true;
      const key = makeKey();
      const list = { keys: [{ name: 'one', hash: digestOf(key), allow: ['export'] }] };
      const file = write('keys.json', JSON.stringify(list));
      await start('--jwt-jwks-url', url, '--keys-file', file);
      const token = await make({ keyId: 'one', claims: { rowgate: { allow: ['export'] } } });
      const client = await connectRaw(started?.gateway.port ?? 0);
      const path = '/stages/broken/export';
      client.send(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`);
      await expect.poll(() => release).toBeDefined();
      client.end();
      const gone = { kind: 'request', request: expect.objectContaining({ path, status: 499 }) };
      const isLogged = () => expect.poll(() => started?.observations).toContainEqual(gone);
      // uWebSockets.js does not notice this before it continues to read.
      if (server === 'node') await isLogged();
      isHeld = false;
      release?.();
      await isLogged();
      const body = JSON.stringify({ query: 'Orders' });
      const streaming = async (): Promise<unknown> => {
        const { text } = await send(key, '/execute', { method: 'POST', body });
        return JSON.parse(text);
      };
      // Verified by the same JWKS, so after the token of the client that has left.
      expect(await send(await make({ keyId: 'one' }))).toMatchObject({ status: 200 });
      await expect.poll(streaming).toMatchObject({ streaming: [] });
    });

    it('cannot be verified while the JWKS cannot be fetched', async () => {
      keys = [];
      await start('--jwt-jwks-url', url);
      const answer = await send(await make({ keyId: 'one' }));
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
        503,
        { code: 'keys-unavailable' },
      ]);
      expect(answer.text).not.toContain(url);
      keys = [await named(rsa.publicKey, 'one')];
      expect(await send(await make({ keyId: 'one' }))).toMatchObject({ status: 200 });
    });
  });
});

describe('an invalid configuration of tokens', () => {
  it.each([
    ['short', 'a secret needs at least 32 bytes'],
    [rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 'it is a private key'],
    [`key\n${rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()}`, 'a private key'],
    [JSON.stringify({ keys: [{ kty: 'oct', k: 'AAAA' }] }), 'public keys only'],
    [JSON.stringify([rsa.publicKey.export({ format: 'jwk' })]), 'it is JSON, but not a JWKS'],
    [JSON.stringify(pem(rsa.publicKey).replaceAll('-----', '')), 'it is JSON, but not a JWKS'],
    [`ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ${'C7'.repeat(40)} ada@example`, 'a key of SSH'],
    [`---- BEGIN SSH2 PUBLIC KEY ----\n${'AAAAB3NzaC1y'.repeat(4)}`, 'a key of SSH'],
    [der(rsa.publicKey, 'spki').toString('base64'), 'a key or certificate in DER'],
    [pem(curve.publicKey).replaceAll(/-----.*-----/g, ''), 'a key or certificate in DER'],
    [der(rsa.publicKey, 'pkcs1').toString('hex'), 'a key or certificate in DER'],
    [rsa.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64url'), 'in DER'],
    [firstCertificate.replaceAll(/-----.*-----/g, ''), 'a key or certificate in DER'],
    [Buffer.from(pem(rsa.publicKey), 'utf16le'), 'text in UTF-16'],
    [pem(small.publicKey), 'an RSA key needs at least 2048 bits, and it has 1024'],
    [JSON.stringify(small.publicKey.export({ format: 'jwk' })), 'needs at least 2048 bits'],
    ['-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', 'cannot be used'],
    [Buffer.alloc(64, 0xff), 'not text in UTF-8'],
  ])('prevents the start: %s', async (content, why) => {
    const file = write('wrong', content);
    await expect(startOnFakeWorker('node', ['--jwt-key-file', file])).rejects.toThrow(why);
  });

  it('sets an issuer without a key, or two sources of keys', async () => {
    await expect(startOnFakeWorker('node', ['--jwt-issuer', 'x'])).rejects.toThrow(
      /--jwt-key-file/,
    );
    const both = ['--jwt-key-file', 'x', '--jwt-jwks-url', 'http://127.0.0.1/'];
    await expect(startOnFakeWorker('node', both)).rejects.toThrow(/cannot be used together/);
    await expect(startOnFakeWorker('node', ['--jwt-jwks-url', 'x'])).rejects.toThrow(/expected/);
  });
});
