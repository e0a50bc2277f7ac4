/** SECURITY.md names the checksums of the binary that Rowgate does not build. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { markedPart, withMarkedPart } from './tables.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const page = join(repository, 'SECURITY.md');
const read = (path: string) => readFileSync(join(repository, path), 'utf8');

const { packages } = JSON.parse(read('package-lock.json')) as {
  readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
};
const folder = 'node_modules/uWebSockets.js';
const versions = new Map([
  ['115', '20'],
  ['127', '22'],
  ['137', '24'],
]);

function binaryTable(): string {
  const names = readdirSync(join(repository, folder)).filter((name) =>
    name.startsWith('uws_linux_x64_'),
  );
  const rows = names.flatMap((name) => {
    const version = versions.get(/_(\d+)\.node$/.exec(name)?.[1] ?? '');
    const bytes = readFileSync(join(repository, folder, name));
    const digest = createHash('sha256').update(bytes).digest('hex');
    return version === undefined ? [] : [`| ${version} | \`${name}\` | \`${digest}\` |`];
  });
  return ['| Node.js | file | SHA-256 |', '| --- | --- | --- |', ...rows].join('\n');
}

test('SECURITY.md has the checksums of uWebSockets.js', () => {
  const integrity = `    ${packages[folder]?.integrity ?? ''}`;
  if (process.env['UPDATE_DOCS'] === '1') {
    const text = withMarkedPart(read('SECURITY.md'), 'uwebsockets', integrity);
    writeFileSync(page, withMarkedPart(text, 'binaries', binaryTable()));
  }
  const text = readFileSync(page, 'utf8');
  expect(markedPart(text, 'uwebsockets')).toBe(integrity);
  expect(markedPart(text, 'binaries')).toBe(binaryTable());
});
