/** Commands on a schema of which not all sources are the embedded database. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../support/program.js';

const schema = `
domain:
  version: 1.0.0
  entities:
    - name: Notes
      primaryKey: [id]
      properties: [{ name: id, type: integer, autoIncrement: true }, { name: text }]
    - name: Products
      primaryKey: [id]
      properties: [{ name: id, type: integer, autoIncrement: true }]
infrastructure:
  sources:
    - { name: far, dialect: MariaDB, connection: 'mariadb://me:secret@127.0.0.1:1/none' }
    - { name: here, dialect: PostgreSQL }
  stages:
    - name: default
      sources: [{ name: far, condition: 'entity == "Products"' }, { name: here }]
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgate-prepare-'));
  await writeFile(join(folder, 'schema.yaml'), schema);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('creates tables in the embedded database, and does not connect to any other', async () => {
  const place = ['--schema', join(folder, 'schema.yaml'), '--data-dir', join(folder, 'data')];
  const ran = await runCommand(['query', 'Notes.insert()', '--data', '{"text": "a"}', ...place]);
  expect([ran.stderr, ran.code]).toEqual(['', 0]);
  expect(JSON.parse(ran.stdout)).toEqual({ id: 1, text: 'a' });
});
