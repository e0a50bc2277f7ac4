/**
 * The row limit in every format and on every path that rows take: more rows are an error, and never a
 * shorter answer.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askWire } from '../support/http-client.js';
import { describeServers } from '../support/http-servers.js';
import { type Program, until } from '../support/program.js';
import { type StreamsFixture, startStreamsFixture } from './streams-fixture.js';

const ROWS_MAX = 30_000;
const FORMATS = ['application/json', 'application/x-ndjson', 'text/csv'] as const;

let fixture: StreamsFixture;
beforeAll(async () => {
  fixture = await startStreamsFixture();
});
afterAll(() => fixture.stop());

describeServers('the program on %s', (httpServer) => {
  let program: Program;
  beforeAll(async () => {
    program = await fixture.start(['--http-server', httpServer, '--rows-max', String(ROWS_MAX)]);
  });
  afterAll(async () => {
    expect(await program.stop()).toBe(0);
  });

  const execute = (query: string, accept: string, data?: unknown) =>
    askWire(program.base, '/execute', { body: { query, data }, headers: { accept } });

  test.each(FORMATS)('sends as many rows as are allowed as %s', async (accept) => {
    const { status, body } = await execute(
      `Many.filter(p=>p.id<=${ROWS_MAX}).map(p=>p.id)`,
      accept,
    );
    expect(status).toBe(200);
    expect(body.toString().match(/\d+/g)?.length).toBe(ROWS_MAX);
  });

  test.each(['application/json', 'text/csv'])(
    'cuts off an answer with one row too many as %s',
    async (accept) => {
      const asked = execute(`Many.filter(p=>p.id<=${ROWS_MAX + 1})`, accept);
      await expect(asked).rejects.toThrow();
    },
  );

  test('reports one row too many in the last line of NDJSON', async () => {
    const query = `Many.filter(p=>p.id<=${ROWS_MAX + 1})`;
    const { body } = await execute(query, 'application/x-ndjson');
    const lines = body.toString().trimEnd().split('\n');
    expect(JSON.parse(lines.pop() ?? '')).toMatchObject({ error: { code: 'rows-over-limit' } });
    expect(lines.length).toBeLessThanOrEqual(ROWS_MAX);
    const broken = () => program.log.filter(({ code }) => code === 'rows-over-limit');
    await until('it is logged', () => broken().length > 0);
  });

  test('counts the included rows', async () => {
    const query = (rows: number) =>
      `Many.filter(p=>p.id<=${rows}).map(p=>p.id).include(p=>p.same.map(s=>s.id))`;
    const half = ROWS_MAX / 2;
    const whole = await execute(query(half), 'application/json');
    expect(JSON.parse(whole.body.toString())).toHaveLength(half);
    await expect(execute(query(half + 1), 'application/json')).rejects.toThrow();
    const lines = await execute(query(half + 1), 'application/x-ndjson');
    expect(lines.body.toString()).toMatch(/\n\{"error":\{.*"code":"rows-over-limit".*\}\}\n$/);
  });

  test('counts the rows of each request, but not of those that run with it', async () => {
    const query = 'Many.filter(p=>p.name!=x).map(p=>p.id).take(20000)';
    const names = Array.from({ length: 12 }, (_, index) => `nobody ${index}`);
    const answers = await Promise.all(
      names.map((x) => execute(query, 'application/x-ndjson', { x })),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body.toString().split('\n').length - 1).toBe(20_000);
    }
  });

  test('refuses each of many requests that has too many rows before sending any', async () => {
    const limited = await fixture.start(['--http-server', httpServer, '--rows-max', '10']);
    const query = 'Many.filter(p=>p.id<=x).map(p=>p.id)';
    const counts = Array.from({ length: 48 }, (_, index) => (index % 2 === 0 ? 10 : 11));
    for (const accept of FORMATS) {
      const answers = await Promise.all(
        counts.map((x) =>
          askWire(limited.base, '/execute', { body: { query, data: { x } }, headers: { accept } }),
        ),
      );
      for (const [index, { status, body }] of answers.entries()) {
        expect(status).toBe(counts[index] === 10 ? 200 : 422);
        if (status === 422) expect(body.toString()).toContain('"code":"rows-over-limit"');
      }
    }
    expect(await limited.stop()).toBe(0);
  });
});
