import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get as getSecurely, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { loadSchema } from '../../src/engine/index.js';
import { sampleSchema } from './sample-schema.js';
import { describeServers, loadedServers } from '../support/http-servers.js';
import { type StartedGateway, startOnFakeWorker } from './start.js';

let directory: string;
let started: StartedGateway;
const file = (name: string) => join(directory, name);

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'rowgate-tls-'));
  // Self-signed, for these tests only.
  cpSync(new URL('./certificates', import.meta.url), directory, { recursive: true });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));
afterEach(() => started.gateway.close());

function use(name: string): void {
  for (const kind of ['crt', 'key']) copyFileSync(file(`${name}.${kind}`), file(`used.${kind}`));
}

function ask(path: string): Promise<{ readonly bytes: number; readonly name: unknown }> {
  return new Promise((resolve, reject) => {
    const { port } = started.gateway;
    const options = { host: '127.0.0.1', port, path, rejectUnauthorized: false, agent: false };
    const sent = getSecurely(options, (response) => {
      const name = response.socket instanceof TLSSocket ? nameOf(response.socket) : undefined;
      let bytes = 0;
      response.on('data', (piece: Buffer) => (bytes += piece.length));
      response.on('end', () => resolve({ bytes, name }));
    });
    sent.on('error', reject);
  });
}

/** The hash of an answer that is read with a pause after each MiB. */
function readSlowly(data: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port } = started.gateway;
    const headers = { 'content-type': 'application/json' };
    const place = { host: '127.0.0.1', port, path: '/execute', rejectUnauthorized: false };
    const sent = request({ ...place, method: 'POST', headers, agent: false }, (response) => {
      const hash = createHash('sha1');
      let sinceRest = 0;
      response.on('data', (piece: Buffer) => {
        hash.update(piece);
        sinceRest += piece.length;
        if (sinceRest < 1 << 20) return;
        sinceRest = 0;
        response.pause();
        setTimeout(() => response.resume(), 20);
      });
      response.on('end', () => resolve(hash.digest('hex')));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ query: 'Orders', data }));
  });
}

function nameOf(socket: TLSSocket): unknown {
  return socket.getPeerCertificate().subject.CN;
}

describeServers('TLS on %s', (server) => {
  const start = async (flags: readonly string[] = []) => {
    use('first');
    const files = ['--tls-cert', file('used.crt'), '--tls-key', file('used.key')];
    started = await startOnFakeWorker(server, [...files, ...flags]);
  };
  const reload = () => started.gateway.reload(loadSchema(sampleSchema));

  it('is used if there is a certificate, and plain HTTP is refused', async () => {
    await start();
    expect((await ask('/ping')).name).toBe('first');
    expect((await ask('/stages/default/export')).bytes).toBeGreaterThan(10);
    await expect(fetch(`${started.base}/ping`)).rejects.toThrow('fetch failed');
  });

  it.each([{ stream: 24_000_000 }, { large: 24_000_000 }])(
    'sends every byte of %o to readers that pause now and then',
    async (data) => {
      await start();
      const bytes = Buffer.alloc(24_000_000, 0x78);
      if ('stream' in data) {
        for (let at = 0; at < bytes.length; at += 1) bytes[at] = (at * 31 + (at >> 11)) & 0xff;
      }
      const expected = createHash('sha1').update(bytes).digest('hex');
      expect(await Promise.all([readSlowly(data), readSlowly(data)])).toEqual([expected, expected]);
    },
  );

  it('uses a new certificate, and keeps the existing connections', async () => {
    await start();
    const kept = connect({ port: started.gateway.port, rejectUnauthorized: false });
    const request = 'GET /ping HTTP/1.1\r\nhost: x\r\n\r\n';
    const answers = async (count: number) => {
      kept.write(request);
      await expect.poll(() => text.split('pong').length - 1, { timeout: 30_000 }).toBe(count);
    };
    let text = '';
    kept.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    await answers(1);
    use('second');
    await reload();
    expect((await ask('/ping')).name).toBe('second');
    await answers(2);
    kept.destroy();
  });

  it('keeps the old certificate if the new one is invalid', async () => {
    await start();
    copyFileSync(file('second.crt'), file('used.crt'));
    await expect(reload()).rejects.toThrow('used.crt');
    writeFileSync(file('used.crt'), 'nothing');
    await expect(reload()).rejects.toThrow('used.crt');
    expect((await ask('/ping')).name).toBe('first');
  });

  it.each(['keys', 'queries'])('keeps the old certificate if the %s are invalid', async (name) => {
    writeFileSync(file('list.json'), JSON.stringify({ [name]: name === 'keys' ? [] : {} }));
    await start([`--${name}-file`, file('list.json')]);
    use('second');
    writeFileSync(file('list.json'), '{}');
    await expect(reload()).rejects.toThrow('list.json');
    expect((await ask('/ping')).name).toBe('first');
  });
});

it('refuses a certificate without a key, and a missing one', async () => {
  const alone = ['--tls-cert', file('first.crt')];
  await expect(startOnFakeWorker('node', alone)).rejects.toThrow('--tls-key');
  const absent = ['--tls-cert', file('absent.crt'), '--tls-key', file('first.key')];
  for (const server of loadedServers()) {
    await expect(startOnFakeWorker(server, absent)).rejects.toThrow('absent.crt');
  }
  started = await startOnFakeWorker('node');
});
