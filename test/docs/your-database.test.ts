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
import { blockOf } from './blocks.js';
import { examplesIn, replay, settled } from './examples.js';
import { runTypeScript, typeScriptIn } from './typescript-examples.js';

const text = readFileSync(new URL('../../docs/your-database.md', import.meta.url), 'utf8');
const rowgate = fileURLToPath(new URL('../../dist/program/rowgate.js', import.meta.url));
const sql = blockOf('docs/your-database.md', 'CREATE TABLE');
const yaml = blockOf('docs/your-database.md', '- name: Purchase');
const served = blockOf('docs/your-database.md', 'npm run --silent rowgate -- serve');
const npmRun = 'npm run --silent rowgate --';

test('README.md serves a database by the same command', () => {
  const shown = blockOf('README.md', 'npm run --silent rowgate -- serve');
  expect(shown.replace(/postgres:\S+/, '"$DATABASE_URL"')).toBe(served);
});

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
    program = await serve(served.replace('"$DATABASE_URL"', database.url));
  });
  afterAll(() => program.stop());

  /** Starts the server of a command. */
  const serve = (line: string) => {
    const [command, ...flags] = line.replace(`${npmRun} `, '').split(' ');
    expect(command).toBe('serve');
    return startProgram([...flags, '--workers', '1'], { DATABASE_URL: database.url });
  };

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
    const lines = blockOf('docs/your-database.md', 'npm run --silent rowgate -- introspect');
    const [last = '', ...others] = lines.split('\n').reverse();
    const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: database.url };
    for (const line of others.reverse()) {
      const command = line.replace(npmRun, `"${process.execPath}" "${rowgate}"`);
      await promisify(execFile)('/bin/sh', ['-c', command], { cwd: folder, env });
    }
    const file = join(folder, 'shop.yaml');
    const written = readFileSync(file, 'utf8');
    // MariaDB creates an index for each foreign key.
    const same = written.replaceAll(/^ +indexes:\n( +- \{.*\n)+/gm, '');
    expect(same).toContain(yaml);
    const own = await serve(last.replace('shop.yaml', file));
    expect(await own.stop()).toBe(0);
  });
}
