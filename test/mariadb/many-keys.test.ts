/** Includes of more parents than a statement has parameters. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { post, type Program, startProgram } from '../support/program.js';

const COUNT = 70_000;
const key = { name: 'id', type: 'integer', required: true };
const entity = (name: string, parent?: string) => ({
  name,
  primaryKey: ['id'],
  properties: [key, ...(parent ? [{ name: 'parentId', type: 'integer' }] : [])],
  relations: parent
    ? [
        {
          name: 'parent',
          type: 'oneToMany',
          from: 'parentId',
          entity: parent,
          to: 'id',
          target: 'all',
        },
      ]
    : [],
});

describeMariadb('an include of many rows', () => {
  const folder = makeTemporaryDirectory();
  let database: MariadbDatabase;
  let program: Program;
  beforeAll(async () => {
    database = await createMariadbDatabase();
    await database.withClient(async (client) => {
      await client.query('CREATE TABLE One (id INT PRIMARY KEY)');
      await client.query('CREATE TABLE Two (id INT PRIMARY KEY, parentId INT, KEY (parentId))');
      await client.query('CREATE TABLE Three (id INT PRIMARY KEY, parentId INT, KEY (parentId))');
      await client.query('INSERT INTO One VALUES (1)');
      await client.query(`INSERT INTO Two SELECT seq, 1 FROM seq_1_to_${COUNT}`);
      await client.query(`INSERT INTO Three SELECT seq, seq FROM seq_1_to_${COUNT}`);
    });
    const file = join(folder, 'schema.json');
    const source = {
      name: 'default',
      dialect: 'MariaDB',
      mapping: 'default',
      connection: database.connection,
    };
    const document = {
      domain: {
        version: '1.0.0',
        entities: [entity('One'), entity('Two', 'One'), entity('Three', 'Two')],
      },
      infrastructure: {
        mappings: [{ name: 'default' }],
        sources: [source],
        stages: [{ name: 'default', sources: [{ name: 'default' }] }],
      },
    };
    writeFileSync(file, JSON.stringify(document));
    program = await startProgram(['--schema', file]);
  });
  afterAll(async () => {
    await program.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('inside of another one', async () => {
    const query = 'One.include(p=>p.all.map(q=>q.id).include(q=>q.all.map(r=>r.id)))';
    const answer = await post(program, '/execute', { query });
    expect(answer.status, answer.text.slice(0, 500)).toBe(200);
    const ids = Array.from({ length: COUNT }, (_, n) => ({ id: n + 1, all: [{ id: n + 1 }] }));
    expect(answer.json()).toEqual([{ id: 1, all: ids }]);
  });

  test('of rows that are deleted', async () => {
    const query = 'Two.delete().filter(p=>p.id>0).include(p=>p.all)';
    const answer = await post(program, '/execute', { query });
    expect(answer.text.slice(0, 500)).toBe(String(COUNT));
  });
});
