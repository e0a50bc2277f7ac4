import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeServers } from '../support/http-servers.js';
import { startOnFakeWorker } from './start.js';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rowgate-socket-'));
  path = join(directory, 'gateway');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function post(body: string, forwardedFor = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      ...(forwardedFor && { 'x-forwarded-for': forwardedFor }),
    };
    const sent = request(
      { socketPath: path, path: '/execute', method: 'POST', headers },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        answer.on('end', () => resolve(text));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

describeServers('a UNIX socket on %s', (server) => {
  const start = (...flags: readonly string[]) =>
    startOnFakeWorker(server, ['--socket', path, ...flags]);

  it('is served to those who may write to it, and removed at the end', async () => {
    const { gateway, observations } = await start('--socket-mode', '600');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(observations).toContainEqual({ kind: 'listening', socket: path, server });
    expect(await post('{"query":"Orders"}')).toContain('"planId"');
    const large = `{"query":"Orders","data":{"large":2000000}}`;
    expect(await post(large)).toHaveLength(2_000_000);
    await gateway.close();
    expect(existsSync(path)).toBe(false);
  });

  it('determines the address of a client behind a proxy', async () => {
    const { gateway, observations } = await start('--trusted-proxies', 'unix');
    await post('{"query":"Orders"}', '203.0.113.7');
    const requests = observations.filter(({ kind }) => kind === 'request');
    expect(requests).toMatchObject([{ request: { address: '203.0.113.7' } }]);
    await gateway.close();
  });

  it.each(['', '/tmp/'.padEnd(150, 'x'), `/tmp/${'ä'.repeat(60)}`])(
    'is refused at a path that the system does not accept: %j',
    async (wrong) => {
      const starting = startOnFakeWorker(server, ['--socket', wrong]);
      await expect(starting).rejects.toThrow(/^--socket: expected a path of 1 to 10\d bytes/);
    },
  );

  it('replaces the socket of a server that has ended, and nothing else', async () => {
    writeFileSync(path, 'a file');
    await expect(start()).rejects.toThrow('not a socket');
    rmSync(path);
    const other = createServer().listen(path);
    await once(other, 'listening');
    await expect(start()).rejects.toThrow('another server');
    other.close();
    await once(other, 'close');
    const abandoned = createServer();
    const { gateway } = await start();
    await expect(start()).rejects.toThrow('another server');
    await gateway.close();
    abandoned.close();
  });
});
