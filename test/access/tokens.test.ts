/** Which tokens are accepted, on both HTTP servers. */
import {
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportJWK, type JWTPayload } from 'jose';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { loadSchema } from '../../src/engine/index.js';
import { sampleSchema } from '../http/sample-schema.js';
import { startOnFakeWorker, type StartedGateway } from '../http/start.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeServers } from '../support/http-servers.js';
import { curve, make, now, other, pem, rsa } from './sample-tokens.js';

const SECRET = 'a secret of more than thirty-two bytes, for tests';
const curve384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const curve521 = generateKeyPairSync('ec', { namedCurve: 'P-521' });
const edwards = generateKeyPairSync('ed25519');
const folder = makeTemporaryDirectory();
const certificateFile = (name: string) =>
  fileURLToPath(new URL(`../http/certificates/${name}`, import.meta.url));

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

    it('with an unknown permission is refused with a sentence that names it', async () => {
      await startWithKey();
      const detail = async (rowgate: unknown) => {
        const { text } = await send(await make({ claims: { rowgate } }));
        return (JSON.parse(text) as { readonly detail: string }).detail;
      };
      const start = "The claim 'rowgate' of the token is invalid: there is no permission";
      expect(await detail({ veiw: 'x' })).toBe(`${start} 'veiw'. Did you mean 'view'?`);
      expect(await detail({ nothing: 1 })).toBe(`${start} 'nothing'.`);
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
});

describe('an invalid configuration of tokens', () => {
  it('sets an issuer without a key, or two sources of keys', async () => {
    await expect(startOnFakeWorker('node', ['--jwt-issuer', 'x'])).rejects.toThrow(
      /--jwt-key-file/,
    );
    const both = ['--jwt-key-file', 'x', '--jwt-jwks-url', 'http://127.0.0.1/'];
    await expect(startOnFakeWorker('node', both)).rejects.toThrow(/cannot be used together/);
    await expect(startOnFakeWorker('node', ['--jwt-jwks-url', 'x'])).rejects.toThrow(/expected/);
  });
});
