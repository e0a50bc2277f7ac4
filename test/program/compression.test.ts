/**
 * Compressed answers on both servers: the same bytes as without compression, and only for clients that
 * accept the coding.
 */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askWire, openRequest } from '../support/http-client.js';
import { describeServers } from '../support/http-servers.js';
import { type Program, until } from '../support/program.js';
import { OVERFLOWING, type StreamsFixture, startStreamsFixture } from './streams-fixture.js';

let fixture: StreamsFixture;
beforeAll(async () => {
  fixture = await startStreamsFixture();
});
afterAll(() => fixture.stop());

const decoders = { gzip: gunzipSync, br: brotliDecompressSync } as const;
const codings = ['gzip', 'br'] as const;

describeServers('the program on %s', (httpServer) => {
  let program: Program;
  beforeAll(async () => {
    program = await fixture.start(['--http-server', httpServer, '--compression', 'on']);
  });
  afterAll(async () => {
    expect(await program.stop()).toBe(0);
  });

  const execute = (query: string, headers: Readonly<Record<string, string>> = {}) =>
    askWire(program.base, '/execute', { body: { query }, headers });

  describe.each(codings)('in %s', (coding) => {
    const asked = { 'accept-encoding': coding };

    test.each(['application/json', 'application/x-ndjson', 'text/csv'])(
      'sends rows as %s, few and many',
      async (accept) => {
        for (const query of ['Many.filter(p=>p.id<50).sort(p=>p.id)', 'Many.sort(p=>p.id)']) {
          const plain = await execute(query, { accept });
          const coded = await execute(query, { accept, ...asked });
          expect(plain.headers['content-encoding']).toBeUndefined();
          expect(coded.headers['content-encoding']).toBe(coding);
          expect(decoders[coding](coded.body).equals(plain.body)).toBe(true);
          expect(coded.body.length).toBeLessThan(plain.body.length / 2);
          expect([plain, coded].map(({ headers }) => headers.vary)).toEqual([
            'accept, accept-encoding',
            'accept, accept-encoding',
          ]);
        }
      },
    );

    test('sends a description, and its length for HEAD', async () => {
      const plain = await askWire(program.base, '/schema');
      const coded = await askWire(program.base, '/schema', { headers: asked });
      expect(decoders[coding](coded.body).equals(plain.body)).toBe(true);
      expect(coded.headers['content-length']).toBe(String(coded.body.length));
      expect(coded.headers.etag).not.toBe(plain.headers.etag);
      const head = await askWire(program.base, '/schema', { method: 'HEAD', headers: asked });
      expect(withoutId(head.headers)).toEqual(withoutId(coded.headers));
      const known = { ...asked, 'if-none-match': coded.headers.etag ?? '' };
      const again = await askWire(program.base, '/schema', { headers: known });
      expect([again.status, again.headers.etag, again.headers.vary, again.body.length]).toEqual([
        304,
        coded.headers.etag,
        'accept-encoding',
        0,
      ]);
      const other = await askWire(program.base, '/schema', {
        headers: { 'if-none-match': coded.headers.etag ?? '' },
      });
      expect(other.status).toBe(200);
    });

    test('cuts an answer that cannot be completed, or says so in the last line', async () => {
      const query = `Many.map(p=>({id:p.id,r:p.id+${OVERFLOWING}}))`;
      await expect(execute(query, asked)).rejects.toThrow();
      const lines = await execute(query, { ...asked, accept: 'application/x-ndjson' });
      const last = decoders[coding](lines.body).toString().trimEnd().split('\n').at(-1) ?? '';
      expect(JSON.parse(last)).toMatchObject({ error: { code: 'value-out-of-range' } });
    });

    test('stops the statement of a client that stops reading and disconnects', async () => {
      const ask = { body: { query: 'Noise' }, headers: asked };
      const { message, abort } = await openRequest(program.base, '/execute', ask);
      message.pause();
      await until('the statement is held back', async () => (await statements()) === 1);
      abort();
      await until('it has ended', async () => (await statements()) === 0);
    });
  });

  test.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['*', 'gzip'],
    ['gzip, deflate, br', 'gzip'],
    ['gzip;q=0.5, br;q=0.8', 'br'],
    ['gzip;q=0, *', 'br'],
    ['gzip;q=0', undefined],
    ['*;q=0', undefined],
    ['gzip;q=0.5, identity', undefined],
    ['GZIP', 'gzip'],
  ])('answers Accept-Encoding: %s in %s', async (asked, coding) => {
    const headers = asked === undefined ? {} : { 'accept-encoding': asked };
    const answer = await askWire(program.base, '/schema', { headers });
    expect(answer.headers['content-encoding']).toBe(coding);
    expect(answer.headers.vary).toBe('accept-encoding');
  });

  test('sends short answers and problems uncompressed', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const short = await askWire(program.base, '/schema/version', { headers });
    expect(short.body.toString()).toBe('{"version":"1.0.0"}');
    const problem = await execute(`Many.filter(p=>p.${'x'.repeat(3000)}==1)`, headers);
    expect(JSON.parse(problem.body.toString())).toMatchObject({ code: 'unknown-property' });
  });

  test('is off by default', async () => {
    const usual = await fixture.start(['--http-server', httpServer]);
    const headers = { 'accept-encoding': 'gzip' };
    const answer = await askWire(usual.base, '/schema', { headers });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.headers.vary).toBeUndefined();
    expect(await usual.stop()).toBe(0);
  });
});

async function statements(): Promise<number> {
  const [row] = await fixture.sql(`SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'rowgate' AND state = 'active'`);
  return row?.['n'];
}

function withoutId(headers: object): object {
  return { ...headers, 'x-request-id': '', date: '' };
}
