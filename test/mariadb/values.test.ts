/** Values that MariaDB columns can have and PostgreSQL columns cannot. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { startWorker, type TestWorker } from '../workers/test-worker.js';

const tables = `
  CREATE TABLE Odd (id int PRIMARY KEY, flag tinyint(1), span time(3));
  INSERT INTO Odd VALUES (1, 1, '25:00:00'), (2, 2, '-01:30:00'), (3, 0, '838:59:59');
`;

describeMariadb('values', () => {
  let database: MariadbDatabase;
  let worker: TestWorker;

  beforeAll(async () => {
    database = await createMariadbDatabase();
    await database.withClient((client) => client.query(tables));
    worker = startWorker(documentOf(database.connection));
  });
  afterAll(async () => {
    await worker.close();
    await database.drop();
  });

  test('of a time are returned unchanged', async () => {
    expect(await worker.gateway.rows('Odd.map(o=>o.span).sort(o=>o.id)')).toEqual([
      { span: '25:00:00' },
      { span: '-01:30:00' },
      { span: '838:59:59' },
    ]);
  });

  test('of a boolean are true if they are 1', async () => {
    expect(await worker.gateway.rows('Odd.map(o=>o.flag).sort(o=>o.id)')).toEqual([
      { flag: true },
      { flag: false },
      { flag: false },
    ]);
    expect(await worker.gateway.rows('Odd.filter(o=>o.flag==true).map(o=>o.id)')).toEqual([
      { id: 1 },
    ]);
    const met = await worker.gateway.rows('Odd.filter(o=>o.flag).map(o=>o.id).sort(o=>o.id)');
    expect(met).toEqual([{ id: 1 }, { id: 2 }]);
  });
});

function documentOf(connection: MariadbDatabase['connection']): unknown {
  const properties = [
    { name: 'id', type: 'integer' },
    { name: 'flag', type: 'boolean' },
    { name: 'span', type: 'time' },
  ];
  return {
    domain: { version: '1.0.0', entities: [{ name: 'Odd', primaryKey: ['id'], properties }] },
    infrastructure: {
      mappings: [{ name: 'default' }],
      sources: [{ name: 'default', dialect: 'MariaDB', mapping: 'default', connection }],
      stages: [{ name: 'default', sources: [{ name: 'default' }] }],
    },
  };
}
