/** With `--admin-port`, the endpoints of monitoring have their own port, and are only there. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { digestOf, makeKey } from '../../src/gateway/access/keys-file.js';
import { freePort } from '../support/free-port.js';
import { describeServers } from '../support/http-servers.js';
import { postJson, type StartedGateway, startOnFakeWorker } from './start.js';
import { until } from './until.js';

const MONITORING = ['/livez', '/readyz', '/metrics'];
const HOST = 'http://127.0.0.1';

describeServers('the admin port on %s', (server) => {
  let started: StartedGateway;
  const start = async (...flags: readonly string[]) => {
    started = await startOnFakeWorker(server, ['--admin-port', '0', ...flags]);
    return `${HOST}:${started.gateway.adminPort}`;
  };
  afterEach(() => started.gateway.close());

  it('serves monitoring, which the main port does not, and nothing else', async () => {
    const admin = await start();
    const { base, gateway, observations } = started;
    const statusesOf = (at: string, paths: readonly string[]) =>
      Promise.all(paths.map(async (path) => (await fetch(at + path)).status));
    expect(await statusesOf(admin, MONITORING)).toEqual([200, 200, 200]);
    expect(await statusesOf(base, MONITORING)).toEqual([404, 404, 404]);
    expect(await statusesOf(base, ['/ping', '/version'])).toEqual([200, 200]);
    expect(await statusesOf(admin, ['/ping', '/stats', '/'])).toEqual([404, 404, 404]);
    expect((await postJson(`${admin}/execute`, { query: 'Orders' })).status).toBe(404);
    expect((await postJson(`${admin}/livez`, {})).status).toBe(405);
    const place = { host: '127.0.0.1', port: gateway.adminPort, server };
    expect(observations).toContainEqual({ kind: 'admin-listening', ...place });
  });

  it('counts the requests of both ports in its metrics, once', async () => {
    const admin = await start();
    await fetch(`${started.base}/ping`);
    await fetch(`${admin}/livez`);
    const metrics = await (await fetch(`${admin}/metrics`)).text();
    for (const route of ['/ping', '/livez']) {
      const line = `rowgate_requests_total{method="GET",route="${route}",status="200"} 1\n`;
      expect(metrics.split(line)).toHaveLength(2);
    }
  });

  it('is not described on the main port', async () => {
    await start();
    const { base } = started;
    const document = await (await fetch(`${base}/openapi.json`)).json();
    expect(document).toHaveProperty(['paths', '/ping']);
    for (const path of MONITORING) expect(document).not.toHaveProperty(['paths', path]);
    const page = await (await fetch(base, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('statistics');
    expect(page).not.toContain('metrics');
  });

  it('needs the same keys', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'rowgate-admin-'));
    const file = join(directory, 'keys.json');
    const [allowed, other] = [makeKey(), makeKey()];
    const keys = [
      { name: 'prometheus', hash: digestOf(allowed), allow: ['metrics'] },
      { name: 'other', hash: digestOf(other) },
    ];
    writeFileSync(file, JSON.stringify({ keys }));
    const admin = await start('--keys-file', file);
    const statusOf = async (path: string, key?: string) => {
      const init = key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } };
      return (await fetch(admin + path, init)).status;
    };
    expect(await statusOf('/livez')).toBe(200);
    expect(await statusOf('/metrics')).toBe(401);
    expect(await statusOf('/metrics', other)).toBe(403);
    expect(await statusOf('/metrics', allowed)).toBe(200);
    rmSync(directory, { recursive: true });
  });

  it('answers until the end of a shutdown, when the main port is already closed', async () => {
    const admin = await start('--drain-timeout-ms', '2000');
    const { gateway, base } = started;
    const data = { never: true };
    const stuck = postJson(`${base}/execute`, { query: 'Orders', data }).catch(() => undefined);
    await until(() => gateway.counters().dispatcher.unanswered === 1);
    const closed = gateway.close();
    await expect.poll(() => fetch(`${base}/ping`).catch(() => 'refused')).toBe('refused');
    const ready = await fetch(`${admin}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([503, { code: 'draining' }]);
    expect((await fetch(`${admin}/livez`)).status).toBe(200);
    await closed;
    await stuck;
    await expect(fetch(`${admin}/livez`)).rejects.toThrow();
  });

  it('is on TCP, too, if the main server listens on a UNIX socket', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'rowgate-admin-'));
    const admin = await start('--socket', join(directory, 'gateway'));
    expect((await fetch(`${admin}/readyz`)).status).toBe(200);
    await started.gateway.close();
    rmSync(directory, { recursive: true });
  });

  it('starts nothing if it is in use, and names the option', async () => {
    await start();
    const [taken, port] = [String(started.gateway.adminPort), String(await freePort())];
    const flags = ['--port', port, '--admin-port', taken];
    const why = new RegExp(`${taken}.*Choose another one with --admin-port`);
    await expect(startOnFakeWorker(server, flags)).rejects.toThrow(why);
    await expect(fetch(`${HOST}:${port}/ping`)).rejects.toThrow();
    const same = ['--port', port, '--admin-port', port];
    await expect(startOnFakeWorker(server, same)).rejects.toThrow(port);
    const again = await startOnFakeWorker(server, ['--port', port]);
    await again.gateway.close();
  });
});
