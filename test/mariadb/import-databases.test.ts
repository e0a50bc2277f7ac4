/** Imports into tables of several databases of one MariaDB server, whose rows refer to each other. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { post, type Program, rowsOf, startProgram } from '../support/program.js';

const child = (name: string) => ({
  name,
  primaryKey: ['id'],
  properties: [
    { name: 'id', type: 'integer' },
    { name: 'parentId', type: 'integer' },
  ],
  relations: [{ name: 'parent', from: 'parentId', entity: 'Parents', to: 'id' }],
});

describeMariadb('imports into several databases', () => {
  let own: MariadbDatabase;
  let other: MariadbDatabase;
  let program: Program;
  const folder = makeTemporaryDirectory();
  beforeAll(async () => {
    own = await createMariadbDatabase();
    other = await createMariadbDatabase();
    const { database } = other.connection;
    const parents = `${database}.parents`;
    const columns = `(id int PRIMARY KEY, parentId int, FOREIGN KEY (parentId) REFERENCES ${parents} (id))`;
    await own.withClient(async (client) => {
      await client.query(`CREATE TABLE ${parents} (id int PRIMARY KEY)`);
      await client.query(`CREATE TABLE near ${columns}`);
      await client.query(`CREATE TABLE ${database}.far ${columns}`);
    });
    const primaryKey = ['id'];
    const properties = [{ name: 'id', type: 'integer' }];
    const entities = [{ name: 'Parents', primaryKey, properties }, child('Near'), child('Far')];
    const mapped = [
      { name: 'Parents', mapping: parents },
      { name: 'Near', mapping: 'near' },
      { name: 'Far', mapping: `${database}.far` },
    ];
    const mappings = [{ name: 'default', entities: mapped }];
    const { connection } = own;
    const sources = [{ name: 'default', dialect: 'MariaDB', mapping: 'default', connection }];
    const file = join(folder, 'schema.json');
    const domain = { version: '1.0.0', entities };
    writeFileSync(file, JSON.stringify({ domain, infrastructure: { mappings, sources } }));
    program = await startProgram(['--schema', file, '--workers', '1']);
  });
  afterAll(async () => {
    await program.stop();
    await own.drop();
    await other.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const imported = (entities: Readonly<Record<string, readonly object[]>>) =>
    post(program, '/stages/default/import', {
      entities: Object.entries(entities).map(([entity, rows]) => ({ entity, rows })),
    });

  test('a key that is taken is named in each', async () => {
    await imported({ Far: [{ id: 1 }], Near: [{ id: 1 }] });
    for (const name of ['Near', 'Far']) {
      const taken = {
        status: 409,
        detail: `Another row of entity ${name} has the same value in id.`,
      };
      const inserted = await post(program, '/execute', {
        query: `${name}.insert()`,
        data: { id: 1 },
      });
      expect(inserted.json()).toMatchObject({ ...taken, place: 'data.id' });
      const rows = [{ id: 2 }, { id: 1 }];
      const place = 'entities[0].rows[1].id';
      expect((await imported({ [name]: rows })).json()).toMatchObject({ ...taken, place });
    }
    await rowsOf(program, 'Far.deleteAll()');
    await rowsOf(program, 'Near.deleteAll()');
  });

  test.each(['Near', 'Far'])('a row of %s must not refer to a missing one', async (entity) => {
    const answer = await imported({ [entity]: [{ id: 1 }, { id: 2, parentId: 77 }] });
    expect([answer.status, answer.json()]).toMatchObject([
      409,
      { code: 'foreign-key-violation', place: 'entities[0].rows[1].parentId' },
    ]);
    expect(await rowsOf(program, entity)).toEqual([]);
  });

  test('rows may refer to those of another database', async () => {
    const rows = [{ id: 1, parentId: 5 }];
    const answer = await imported({ Near: rows, Far: rows, Parents: [{ id: 5 }] });
    expect(answer.status, answer.text).toBe(200);
  });
});
