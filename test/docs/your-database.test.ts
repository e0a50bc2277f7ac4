/** Follows `docs/your-database.md`: creates its tables, runs its commands, and compares the answers. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useOwnMariadb, useOwnPostgresql, type OwnDatabase } from '../introspect/own-database.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { type Program, startProgram } from '../support/program.js';
import { examplesIn, replay, settled } from './examples.js';
import { runTypeScript, typeScriptIn } from './typescript-examples.js';

const text = readFileSync(new URL('../../docs/your-database.md', import.meta.url), 'utf8');
const rowgate = fileURLToPath(new URL('../../dist/program/rowgate.js', import.meta.url));
const [, sql = ''] = /```sql\n([\s\S]*?)```/.exec(text) ?? [];
const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(text) ?? [];
const commands = [...text.matchAll(/^npm run --silent rowgate -- (.*)$/gm)].map(
  ([, words = '']) => words,
);

describe('docs/your-database.md on PostgreSQL', () => {
  suite(useOwnPostgresql(sql));
});

describeMariadb('docs/your-database.md', () => {
  suite(useOwnMariadb(sql));
});

function suite(database: OwnDatabase): void {
  const folder = makeTemporaryDirectory();
  let program: Program;
  beforeAll(async () => {
    const [first = ''] = commands;
    expect(first).toBe('serve --url "$DATABASE_URL"');
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test.each(examplesIn(text))('gets the answer that it shows: line $line', async (example) => {
    expect(settled(await replay(program.base, example))).toBe(settled(example.shown));
  });

  test('its program gets the answer that it shows', async () => {
    const domain = join(folder, 'types.ts');
    const words = [rowgate, 'types', '--url', program.base, '--output', domain];
    await promisify(execFile)(process.execPath, words);
    const examples = typeScriptIn(text);
    expect(examples).toHaveLength(1);
    const [outcome] = runTypeScript(examples, { base: program.base, folder, domain });
    expect(outcome).toEqual({ value: JSON.parse(examples[0]?.shown ?? '') });
  });

  test('its commands work, and write the file that it shows', async () => {
    const others = commands.filter((words) => !words.startsWith('serve'));
    expect(others).toHaveLength(3);
    const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: database.url };
    for (const words of others) {
      const command = `"${process.execPath}" "${rowgate}" ${words}`;
      await promisify(execFile)('/bin/sh', ['-c', command], { cwd: folder, env });
    }
    const file = join(folder, 'shop.yaml');
    const written = readFileSync(file, 'utf8');
    // MariaDB creates an index for each foreign key.
    const same = written.replaceAll(/^ +indexes:\n( +- \{.*\n)+/gm, '');
    expect(same).toContain(yaml);
    const served = await startProgram(['--schema', file, '--workers', '1'], env);
    expect(await served.stop()).toBe(0);
  });
}
