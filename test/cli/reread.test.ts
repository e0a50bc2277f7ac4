import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openProject } from '../../src/project/project.js';

const schemaWith = (...sources: readonly object[]) =>
  JSON.stringify({ domain: { entities: [] }, infrastructure: { sources } });

test('a new source cannot use the embedded database if that was not started', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rowgate-reread-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const schema = join(folder, 'schema.json');
  const shop = { name: 'shop', dialect: 'PostgreSQL', connection: { host: 'db.example' } };
  await writeFile(schema, schemaWith(shop));
  const configuration = { schema, dataDirectory: join(folder, 'data') };
  const project = await openProject({ configuration, environment: {} });
  await writeFile(schema, schemaWith(shop, { name: 'notes', dialect: 'PostgreSQL' }));
  await expect(project.reread()).rejects.toThrow("The source 'notes' has no connection");
  await writeFile(schema, schemaWith({ ...shop, connection: { host: 'other.example' } }));
  expect((await project.reread()).sources).toMatchObject([
    { connection: { host: 'other.example' } },
  ]);
});
