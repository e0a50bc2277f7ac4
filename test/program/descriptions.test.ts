/**
 * Cacheable descriptions (entity tags, 304), and HEAD for everything that GET answers, on both servers.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../src/gateway/routes.js';
import { connectRaw } from '../http/raw-client.js';
import { askWire, type WireRequest } from '../support/http-client.js';
import { describeServers } from '../support/http-servers.js';
import type { Program } from '../support/program.js';
import { type StreamsFixture, startStreamsFixture } from './streams-fixture.js';

let fixture: StreamsFixture;
beforeAll(async () => {
  fixture = await startStreamsFixture();
});
afterAll(() => fixture.stop());

const names: Readonly<Record<string, string>> = {
  '/entities/{name}': '/entities/Notes',
  '/sources/{name}': '/sources/default',
  '/mappings/{name}': '/mappings/default',
  '/mappings/{name}/{entity}': '/mappings/default/Notes',
  '/stages/{name}': '/stages/default',
  '/stages/{name}/exists': '/stages/default/exists',
  '/stages/{name}/export': '/stages/default/export',
  '/enums/{name}': '/enums/None',
};

const gets = routes.flatMap(([method, path]) => (method === 'GET' ? [names[path] ?? path] : []));

const described = [
  ...['/schema/version', '/schema', '/domain', '/entities', '/entities/Notes', '/enums'],
  ...['/sources', '/sources/default', '/mappings', '/mappings/default'],
  ...['/mappings/default/Notes', '/views', '/stages', '/stages/default'],
];

const asked = ['/plan', '/model', '/metadata', '/parameters', '/constraints'];

describeServers('the program on %s', (httpServer) => {
  let program: Program;
  beforeAll(async () => {
    program = await fixture.start(['--http-server', httpServer]);
  });
  afterAll(async () => {
    expect(await program.stop()).toBe(0);
  });

  const get = (path: string, request: WireRequest = {}) => askWire(program.base, path, request);

  describe.each([
    ...described.map((path) => ({ path, body: undefined })),
    ...asked.map((path) => ({ path, body: { query: 'Many.filter(p=>p.id==id)' } })),
  ])('$path', ({ path, body }) => {
    test('has a strong entity tag, and is answered with 304 if the client has it', async () => {
      const first = await get(path, { body });
      const { etag = '', 'cache-control': control } = first.headers;
      expect([first.status, control]).toEqual([200, 'no-cache']);
      expect(etag).toMatch(/^"[\w-]{20,}"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await get(path, { body, headers: { 'if-none-match': known } });
        expect([again.status, again.headers.etag, again.body.length]).toEqual([304, etag, 0]);
        expect(again.headers['cache-control']).toBe('no-cache');
        expect(again.headers['content-type']).toBeUndefined();
      }
      for (const other of ['"other"', etag.slice(0, -2), '', 'W/"other", "and another"']) {
        const again = await get(path, { body, headers: { 'if-none-match': other } });
        expect([again.status, again.body.equals(first.body)]).toEqual([200, true]);
      }
    });

    test('has another entity tag when it is indented', async () => {
      const compact = await get(path, { body });
      const pretty = await get(`${path}?format=beautiful`, { body });
      const isSame = compact.body.equals(pretty.body);
      expect(compact.headers.etag === pretty.headers.etag).toBe(isSame);
    });
  });

  test('rows and answers that change with time have no entity tag', async () => {
    for (const path of ['/ping', '/health', '/livez', '/readyz', '/stages/default/exists']) {
      expect((await get(path, { headers: { 'if-none-match': '*' } })).status).toBe(200);
    }
    const rows = await get('/execute', {
      body: { query: 'Notes' },
      headers: { 'if-none-match': '*' },
    });
    expect([rows.status, rows.headers.etag]).toEqual([200, undefined]);
  });

  test.each(gets)('answers HEAD %s with the headers of GET', async (path) => {
    const whole = await get(path);
    const head = await get(path, { method: 'HEAD' });
    expect([head.status, head.body.length]).toEqual([whole.status, 0]);
    expect(comparable(head.headers)).toEqual(comparable(whole.headers));
    const isStreamed = path.endsWith('/export');
    expect(head.headers['content-length']).toEqual(isStreamed ? undefined : expect.any(String));
    const other = await get(path, { method: 'PUT' });
    const deletes = routes.some(([method, own]) => method === 'DELETE' && own === path);
    const allowed = deletes ? 'GET, HEAD, DELETE, OPTIONS' : 'GET, HEAD, OPTIONS';
    expect([other.status, other.headers.allow]).toEqual([405, allowed]);
  });

  test('keeps the connection after HEAD, 304 and OPTIONS', async () => {
    const client = await connectRaw(program.port);
    const sent = [
      'HEAD /schema HTTP/1.1\r\nhost: x\r\n\r\n',
      'HEAD /stages/default/export HTTP/1.1\r\nhost: x\r\n\r\n',
      'GET /schema HTTP/1.1\r\nhost: x\r\nif-none-match: *\r\n\r\n',
      'OPTIONS /schema HTTP/1.1\r\nhost: x\r\n\r\n',
      'GET /schema/version HTTP/1.1\r\nhost: x\r\n\r\n',
    ];
    for (const [index, request] of sent.entries()) {
      client.send(request);
      await client.until((text) => text.split('HTTP/1.1 ').length === index + 2);
    }
    const text = await client.until((all) => all.endsWith('{"version":"1.0.0"}'));
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual(['200', '200', '304', '204', '200']);
    client.end();
  });
});

/**
 * The headers that are the same in each answer. The length of a body that contains the time may differ.
 */
function comparable(headers: object): object {
  const changing = ['date', 'x-request-id', 'content-length', 'transfer-encoding'];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !changing.includes(name)));
}
