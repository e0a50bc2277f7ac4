/**
 * Checks that the documents match the program: their tables are generated from the code, and every
 * example is sent to a real server. `UPDATE_DOCS=1 npx vitest run test/docs.test.ts` updates them.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../src/gateway/routes.js';
import { examplesIn, replay, rewritten, samplePages, settled } from './docs/examples.js';
import { serveCopy, serveSample, type ServedSample } from './docs/serve-sample.js';
import {
  errorCodeTable,
  markedPart,
  optionTable,
  typeTable,
  withMarkedPart,
} from './docs/tables.js';

const repository = fileURLToPath(new URL('..', import.meta.url));
const isUpdate = process.env['UPDATE_DOCS'] === '1';

describe.each([
  { name: 'docs/configuration.md', part: 'options', table: optionTable() },
  { name: 'docs/errors.md', part: 'errors', table: errorCodeTable() },
  { name: 'docs/databases.md', part: 'types', table: typeTable() },
])('$name', ({ name, part, table }) => {
  if (isUpdate) write(name, withMarkedPart(read(name), part, table));

  test('shows the same table as the program', () => {
    expect(markedPart(read(name), part)).toBe(table);
  });
});

test('docs/http.md has a section for every endpoint, and no other', () => {
  const sections = [...read('docs/http.md').matchAll(/^### ((?:GET|POST|DELETE) \/\S*)$/gm)];
  const endpoints = routes.map(([method, path]) => `${method} ${path}`);
  expect(sections.map(([, endpoint]) => endpoint)).toEqual(endpoints);
});

describe.each(samplePages)('%s', (name) => {
  // README.md shows the embedded database.
  const serve = name === 'README.md' ? serveSample : serveCopy;
  let sample: ServedSample;

  beforeAll(async () => {
    sample = await serve();
    if (!isUpdate) return;
    write(name, await rewritten(read(name), sample.base));
    await sample.stop();
    sample = await serve();
  });

  afterAll(() => sample.stop());

  test('shows at least one example', () => {
    expect(examplesIn(read(name)).length).toBeGreaterThan(0);
  });

  test.each(examplesIn(read(name)).map(({ path, line }, index) => ({ path, line, index })))(
    'gets the answer it shows: $path, line $line',
    async ({ index }) => {
      // Read again, because an update may have changed it.
      const [example] = examplesIn(read(name)).slice(index);
      expect.assert(example);
      expect(settled(await replay(sample.base, example))).toBe(settled(example.shown));
    },
  );
});

test.each([
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'clients/typescript/README.md',
  ...readdirSync(join(repository, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
])('%s has only links to existing targets', (name) => {
  const links = [...read(name).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(
    ([, path = '']) => path,
  );
  const missing = links.filter((path) => !existsSync(join(repository, dirname(name), path)));
  expect(missing).toEqual([]);
});

function read(name: string): string {
  return readFileSync(join(repository, name), 'utf8');
}

function write(name: string, text: string): void {
  writeFileSync(join(repository, name), text);
}
