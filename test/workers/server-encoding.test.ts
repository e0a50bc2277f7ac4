/** A database with the encoding SQL_ASCII may contain texts that are not UTF-8. PostgreSQL does not send them. */
import { randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { withClient } from '../support/embedded.js';
import { startWorker } from './test-worker.js';

test('a text that is not UTF-8 is an error, and all others are answered', async () => {
  const server = inject('embedded');
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const encoding = `ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'`;
  await withClient(server, (client) =>
    client.query(`CREATE DATABASE ${database} TEMPLATE template0 ${encoding}`),
  );
  const connection = { ...server, database };
  await withClient(connection, async (client) => {
    await client.query("SET client_encoding = 'SQL_ASCII'");
    await client.query('CREATE TABLE Items (id int PRIMARY KEY, name text)');
    await client.query(String.raw`INSERT INTO Items VALUES (1, E'\xe4'), (2, E'\xc3\xa4')`);
  });
  const properties = [{ name: 'id', type: 'integer' }, { name: 'name' }];
  const worker = startWorker({
    domain: { version: '1.0.0', entities: [{ name: 'Items', primaryKey: ['id'], properties }] },
    infrastructure: { sources: [{ name: 'default', dialect: 'PostgreSQL', connection }] },
  });
  try {
    const query = 'Items.filter(p=>p.id==id).map(p=>p.name)';
    expect(await worker.gateway.rows(query, { id: 2 })).toEqual([{ name: 'ä' }]);
    await expect(worker.gateway.rows(query, { id: 1 })).rejects.toThrow('evaluation-failed');
  } finally {
    await worker.close();
    await withClient(server, (client) => client.query(`DROP DATABASE ${database} WITH (FORCE)`));
  }
});
