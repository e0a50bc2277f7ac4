/** Expressions whose SQL or whose values would grow too much, or that nest too much, are refused before they reach the database. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { LOOSER } from '../support/looser.js';
import { post, type Program, startProgram } from '../support/program.js';
import { residentBytes } from './large-fixture.js';
import { writeShelfSchema } from '../support/shelf-schema.js';

const REFUSED_MS = 4000 * LOOSER;

/** No database is needed: nothing is sent to it. */
const urls = {
  PostgreSQL: 'postgresql://nobody@127.0.0.1:1/none',
  MariaDB: 'mysql://nobody:x@127.0.0.1:1/none',
};

describe.each(Object.entries(urls))('on %s', (dialect, url) => {
  const folder = makeTemporaryDirectory();
  let program: Program;

  beforeAll(async () => {
    const file = writeShelfSchema(folder, dialect, url);
    const flags = ['--workers', '1', '--source-check-ms', '0'];
    program = await startProgram(['--schema', file, ...flags]);
  });
  afterAll(async () => {
    expect(residentBytes(program)).toBeLessThan(512 << 20);
    expect(await program.stop()).toBe(0);
    rmSync(folder, { recursive: true, force: true });
  });

  const refusalOf = async (path: string, query: string) => {
    const begun = performance.now();
    const answer = await post(program, path, { query });
    expect([path, answer.status]).toEqual([path, 400]);
    expect(performance.now() - begun).toBeLessThan(REFUSED_MS);
    return answer.json();
  };
  const powers = (count: number) => `${'('.repeat(count)}max(p.id)${'**2)'.repeat(count)}`;
  const sines = (count: number) => `${'sinh('.repeat(count)}max(p.id)${')'.repeat(count)}`;

  test.each([24, 40, 55])('calls that repeat their argument, nested %i times', async (count) => {
    const repeating = dialect === 'MariaDB' ? [powers, sines] : [sines];
    for (const path of ['/plan', '/execute']) {
      for (const nested of repeating) {
        const refusal = await refusalOf(path, `shelf.map(p=>({r: ${nested(count)}}))`);
        expect(refusal).toMatchObject({ status: 400, code: 'too-complex' });
      }
    }
  });

  test('the expressions of a query are limited together', async () => {
    const accepts = async (count: number): Promise<boolean> => {
      const query = `shelf.map(p=>({r: ${sines(count)}}))`;
      return (await post(program, '/plan', { query })).status === 200;
    };
    let most = 1;
    while (await accepts(most + 1)) most += 1;
    expect(most).toBeGreaterThan(4);
    const columns = Array.from({ length: 20 }, (_, index) => `c${index}: ${sines(most)}`);
    for (const path of ['/plan', '/execute']) {
      expect(await refusalOf(path, `shelf.map(p=>({${columns.join(', ')}}))`)).toMatchObject({
        code: 'too-complex',
        detail: 'The query is too complex. Its SQL is longer than 1048576 characters.',
      });
    }
  });

  test.each([
    'replace(old,"x",by)',
    'upper(replace(old,"x",by))',
    'toString(length(replace(old,"x",by)))',
  ])('a text that would not fit into memory is refused before it is made: %s', async (name) => {
    const query = `shelf.insert({id: 1, name: ${name}})`;
    const data = { old: 'x'.repeat(14_000), by: 'y'.repeat(14_000) };
    const answer = await post(program, '/execute', { query, data });
    expect([answer.status, answer.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'value-out-of-range' }),
    ]);
  });
});
