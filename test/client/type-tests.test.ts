/** `expectTypeOf` has an effect only in the compiler, which Vitest does not run: so the tests are compiled here. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, expectTypeOf, test } from 'vitest';
import { createClient } from '../../clients/typescript/src/index.js';
import type { Domain } from './domain.js';

test('the types of queries, rows and data are those that the tests expect', () => {
  const repository = fileURLToPath(new URL('../..', import.meta.url));
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  const words = [compiler, '--noEmit', '--pretty', 'false', '-p', join(repository, 'test')];
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, '']);
});

test('another type than the expected one is an error of the compiler', () => {
  const query = createClient<Domain>({ url: '' }).Shippers.map((s) => s.phone);
  type Rows = Awaited<ReturnType<typeof query.run>>;
  expectTypeOf<Rows>().toEqualTypeOf<{ phone: string | null }[]>();
  // @ts-expect-error: the phone may be null.
  expectTypeOf<Rows>().toEqualTypeOf<{ phone: string }[]>();
  expect(query.query).toBe('Shippers.map(a=>a.phone)');
});
