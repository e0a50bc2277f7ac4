/** Commands on a schema of which not all sources are the embedded database. */
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

describe('the sample', () => {
  const own = `
domain:
  version: 1.0.0
  entities:
    - { name: Products, primaryKey: [sku], properties: [{ name: sku, required: true }, { name: title }] }
`;

  async function rowsOf(...words: readonly string[]): Promise<unknown> {
    const { code, stdout, stderr } = await runCommand(['query', ...words]);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  }

  test('and another schema do not share tables', async () => {
    const place = ['--data-dir', join(folder, 'shared')];
    await writeFile(join(folder, 'own.yaml'), own);
    const count = await rowsOf('Products.count()', ...place);
    expect(count).not.toEqual([{ count: 0 }]);
    expect(await rowsOf('Products', ...place, '--schema', join(folder, 'own.yaml'))).toEqual([]);
    expect(await rowsOf('Products.count()', ...place)).toEqual(count);
  });

  test('stays in the database in which an earlier version created its tables', async () => {
    const place = ['--data-dir', join(folder, 'earlier')];
    const copy = join(folder, 'copy.yaml');
    const sample = fileURLToPath(new URL('../../schemas/northwind.yaml', import.meta.url));
    await copyFile(sample, copy);
    const insert = ['Shippers.insert()', '--data', '{"name": "Mine"}'];
    await rowsOf(...insert, ...place, '--schema', copy);
    const query = "Shippers.filter(p=>p.name=='Mine').count()";
    expect(await rowsOf(query, ...place)).toEqual([{ count: 1 }]);
    // The rows of the sample do not get into these tables, which are not its own.
    expect(await rowsOf('Orders.count()', ...place)).toEqual([{ count: 0 }]);
  });

  test('gets its rows once: removed ones do not come back', async () => {
    const place = ['--data-dir', join(folder, 'removed')];
    for (const entity of ['Orders.details', 'Products', 'Categories']) {
      await rowsOf(`${entity}.deleteAll()`, ...place);
    }
    expect(await rowsOf('Categories.count()', ...place)).toEqual([{ count: 0 }]);
    for (const entity of ['Orders', 'Customers', 'Shippers', 'Suppliers']) {
      await rowsOf(`${entity}.deleteAll()`, ...place);
    }
    await rowsOf('Employees.deleteAll()', ...place);
    expect(await rowsOf('Employees.count()', ...place)).toEqual([{ count: 0 }]);
  });

  test('gets its rows from the next start if the first one ended after its tables were created', async () => {
    const place = ['--data-dir', join(folder, 'interrupted')];
    const pushed = await runCommand(['push', ...place]);
    expect([pushed.code, pushed.stderr]).toEqual([
      0,
      expect.stringMatching(/^source default: embedded database in \S+\n$/),
    ]);
    expect(await rowsOf('Shippers.count()', ...place)).toEqual([{ count: 4 }]);
  });

  test('gets no rows later if its database was created without them', async () => {
    const place = ['--data-dir', join(folder, 'empty')];
    const count = await rowsOf('Shippers.count()', ...place, '--sample-scale', '0');
    expect([count, await rowsOf('Shippers.count()', ...place)]).toEqual([
      [{ count: 0 }],
      [{ count: 0 }],
    ]);
  });
});
