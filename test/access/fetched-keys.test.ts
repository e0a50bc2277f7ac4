/** Tokens that are verified by a JWKS of their issuer, on both HTTP servers. */
import type { KeyObject } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { exportJWK, type JWK, type JWTPayload } from 'jose';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { loadSchema } from '../../src/engine/index.js';
import { digestOf, makeKey } from '../../src/gateway/access/keys-file.js';
import { connectRaw } from '../http/raw-client.js';
import { sampleSchema } from '../http/sample-schema.js';
import { startOnFakeWorker, type StartedGateway } from '../http/start.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeServers } from '../support/http-servers.js';
import { curve, make, now, other, rsa } from './sample-tokens.js';

const folder = makeTemporaryDirectory();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let started: StartedGateway | undefined;
afterEach(async () => {
  await started?.gateway.close();
  started = undefined;
});

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function send(token: string, path = '/entities', init: RequestInit = {}) {
  const { base } = started ?? { base: '' };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(base + path, { ...init, headers });
  const text = await response.text();
  return { status: response.status, text };
}

describeServers('a token with a JWKS that is fetched, on %s,', (server) => {
  const start = async (...flags: readonly string[]) => {
    started = await startOnFakeWorker(server, flags);
  };
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
    expect([await status({ sub: 'eve' }), fetched]).toEqual([200, 2]);
    const key = makeKey();
    write('kept.json', JSON.stringify({ keys: [{ name: 'new', hash: digestOf(key) }] }));
    await expect.poll(async () => (await send(key)).status, { timeout: 5000 }).toBe(403);
    expect([await status({ sub: 'bob' }), fetched]).toEqual([200, 2]);
    const begin = Date.now();
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      vi.setSystemTime(begin + 11 * 60_000);
      expect([await status({ sub: 'kim' }), fetched]).toEqual([200, 3]);
      // The next fetch waits for ten seconds.
      expect([await status({ sub: 'lee' }), fetched]).toEqual([200, 3]);
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

  it('is refused after a reload if its key was withdrawn', async () => {
    keys = [await named(rsa.publicKey, 'one')];
    await start('--jwt-jwks-url', url);
    const token = await make({ keyId: 'one' });
    expect(await send(token)).toMatchObject({ status: 200 });
    keys = [await named(other.publicKey, 'two')];
    await started?.gateway.reload(loadSchema(sampleSchema));
    expect(await send(token)).toMatchObject({ status: 401 });
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
    await expect.poll(async () => (await send(await make({ keyId: 'one' }))).status).toBe(200);
  });

  it('causes one fetch and one line in the log in a second, however many tokens cannot be verified', async () => {
    keys = [];
    fetched = 0;
    await start('--jwt-jwks-url', url);
    const failures = () =>
      started?.observations.filter(({ kind }) => kind === 'jwks-unavailable').length;
    const statuses = async (count: number, keyId: string) => {
      const tokens = Array.from({ length: count }, async (_, n) =>
        make({ keyId: `${keyId}${n}`, key: other.privateKey, expires: now() + 100_000 }),
      );
      const answers: number[] = [];
      for (const token of tokens) answers.push((await send(await token)).status);
      return new Set(answers);
    };
    const begin = Date.now();
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      expect(await statuses(20, 'a')).toEqual(new Set([503]));
      expect([fetched, failures()]).toEqual([1, 1]);
      vi.setSystemTime(begin + 1500);
      expect(await statuses(20, 'b')).toEqual(new Set([503]));
      expect([fetched, failures()]).toEqual([2, 2]);
      keys = [await named(rsa.publicKey, 'one')];
      vi.setSystemTime(begin + 3000);
      expect(await statuses(20, 'c')).toEqual(new Set([401]));
      expect([fetched, failures()]).toEqual([3, 2]);
      // With a JWKS that can be used, strangers who name other keys cause a fetch every ten seconds.
      keys = [];
      vi.setSystemTime(begin + 20_000);
      expect(await statuses(20, 'd')).toEqual(new Set([503]));
      expect([fetched, failures()]).toEqual([4, 3]);
      const known = await make({ keyId: 'one', expires: now() + 100_000 });
      expect((await send(known)).status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
  });
});
