/** The packages as they are published, and as a program that installs them gets them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const packages = [
  { name: 'rowgate', folder: repository },
  { name: '@rowgate/client', folder: join(repository, 'clients/typescript') },
];
const GZIP_BYTES_MAX = 8000;

const folder = makeTemporaryDirectory();

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(packages)('the package $name', ({ folder: source }) => {
  let tarball: Buffer;

  // The build of `npm test` is packed unchanged.
  beforeAll(() => {
    const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
    const [{ filename }] = JSON.parse(
      execFileSync('npm', words, { cwd: source, stdio: ['ignore', 'pipe', 'ignore'] }).toString(),
    );
    tarball = readFileSync(join(folder, filename));
  });

  test('has no errors according to publint', async () => {
    const content = new Uint8Array(tarball).buffer;
    const { messages } = await publint({
      pack: { tarball: content },
      strict: true,
    });
    expect(messages).toEqual([]);
  });

  test('has types that match its modules', async () => {
    const analysed = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
    // Both packages are ES modules only, and so are not for these ways of resolution.
    const ignored = ['node10', 'node16-cjs'];
    const problems = analysed.types ? analysed.problems : ['There are no types.'];
    expect(
      problems.filter(
        (each) =>
          typeof each === 'string' ||
          !('resolutionKind' in each && ignored.includes(each.resolutionKind)),
      ),
    ).toEqual([]);
  });
});

describe('the client', () => {
  test(`is smaller than ${GZIP_BYTES_MAX} bytes, minified and compressed`, async () => {
    const { output } = await build({
      input: join(repository, 'clients/typescript/dist/index.js'),
      output: { minify: true },
      write: false,
    });
    expect(gzipSync(output[0].code, { level: 9 }).length).toBeLessThan(GZIP_BYTES_MAX);
  });

  test('works in an empty folder, with the types of a domain', () => {
    const installed = join(folder, 'node_modules/@rowgate/client');
    mkdirSync(installed, { recursive: true });
    execFileSync(
      'tar',
      ['-xzf', join(folder, 'rowgate-client-0.1.0.tgz'), '--strip-components=1'],
      {
        cwd: installed,
      },
    );
    const domain = readFileSync(join(dirname(fileURLToPath(import.meta.url)), 'domain.ts'));
    writeFileSync(join(folder, 'domain.ts'), domain);
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    writeFileSync(join(folder, 'main.ts'), program);
    const compiler = join(repository, 'node_modules/typescript/bin/tsc');
    const words = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom'];
    execFileSync(process.execPath, [compiler, ...words, '--types', '', 'main.ts'], {
      cwd: folder,
      stdio: 'inherit',
    });
    const printed = execFileSync(process.execPath, ['main.js'], { cwd: folder });
    expect(printed.toString()).toBe('Shippers.filter(a=>(a.id==$1)).map(a=>a.name) {"$1":7}\n');
  });
});

const program = `
import { createClient, eq } from '@rowgate/client';
import type { Domain } from './domain.js';

const db = createClient<Domain>({ url: 'http://127.0.0.1:9291' });
const id: number = 7;
const query = db.Shippers.filter((s) => eq(s.id, id)).map((s) => s.name);
export const names = async (): Promise<string[]> => (await query.run()).map((row) => row.name);
console.log(query.query, JSON.stringify(query.data));
`;
