/** An include from MariaDB into PostgreSQL: a key that PostgreSQL cannot have finds no row, and the others find theirs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createThrowawayDatabase, withClient } from '../support/embedded.js';
import { createMariadbDatabase, describeMariadb } from '../support/mariadb.js';
import { startWorker, type TestWorker } from '../workers/test-worker.js';

const UUID = '0189f7e2-5d3c-7abc-8def-0123456789ab';

/** The type of each key in the schema and in both databases, and the keys in the SQL of MariaDB. */
const keys = {
  uuid: ['uuid', 'char(36)', [`'${UUID.toUpperCase()}'`, `'none'`, `''`]],
  compact: ['uuid', 'char(36)', [`'${UUID.replaceAll('-', '')}'`, `'${UUID.slice(1)}g'`]],
  string: ['varchar(9)', 'varchar(9)', [`'a'`, `CONCAT('a', CHAR(0))`]],
  integer: ['bigint', 'bigint unsigned', ['7', '18446744073709551615']],
  time: ['time', 'time', [`'12:00:00'`, `'100:00:00'`, `'-01:00:00'`]],
  date: ['date', 'date', [`'2024-02-29'`, `'0000-00-00'`]],
  inet: ['inet', 'varchar(40)', [`'10.0.0.1'`, `'here'`]],
  interval: ['interval', 'varchar(40)', [`'P1D'`, `'soon'`]],
} as const;

const names = Object.keys(keys) as readonly (keyof typeof keys)[];

const entities = names.flatMap((name) => {
  const properties = [
    { name: 'id', type: 'integer', required: true },
    { name: 'part', type: 'integer' },
    { name: 'key', type: name === 'compact' ? 'uuid' : name },
  ];
  const relation = (to: string, from: readonly string[]) => {
    return { name: to, type: 'manyToOne', from, entity: `P_${name}`, to: from, weak: true };
  };
  const relations = [relation('rows', ['key']), relation('pairs', ['part', 'key'])];
  return [
    { name: `M_${name}`, primaryKey: ['id'], properties, relations },
    { name: `P_${name}`, primaryKey: ['id'], properties },
  ];
});

describeMariadb('keys that PostgreSQL cannot have', () => {
  let worker: TestWorker;
  const stops: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const postgresql = await createThrowawayDatabase();
    const mariadb = await createMariadbDatabase();
    stops.push(postgresql.drop, mariadb.drop);
    await withClient(postgresql.connection, async (client) => {
      for (const name of names) {
        const [type, , [first]] = keys[name];
        await client.query(
          `CREATE TABLE p_${name} (id integer PRIMARY KEY, part integer, key ${type})`,
        );
        await client.query(`INSERT INTO p_${name} VALUES (1, 1, ${first})`);
      }
    });
    await mariadb.withClient(async (client) => {
      await client.query(`SET sql_mode = ''`);
      for (const name of names) {
        const [, type, texts] = keys[name];
        await client.query(
          `CREATE TABLE M_${name} (id integer PRIMARY KEY, part integer, \`key\` ${type})`,
        );
        const rows = texts.map((text, at) => `(${at + 1}, 1, ${text})`);
        await client.query(`INSERT INTO M_${name} VALUES ${rows.join(', ')}`);
      }
    });
    const sources = [
      { name: 'p', dialect: 'PostgreSQL', connection: postgresql.connection },
      { name: 'm', dialect: 'MariaDB', connection: mariadb.connection },
    ];
    const stage = [{ name: 'p', condition: 'entity.startsWith("P_")' }, { name: 'm' }];
    const stages = [{ name: 'default', sources: stage }];
    const domain = { version: '1.0.0', entities };
    worker = startWorker({ domain, infrastructure: { sources, stages } });
    stops.unshift(worker.close);
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
  });

  test.each(names)('%s', async (name) => {
    const included = '[p.rows.map(q=>q.id), p.pairs.map(q=>q.id)]';
    const query = `M_${name}.sort(p=>p.id).map(p=>p.id).include(p=>${included})`;
    const [, , texts] = keys[name];
    const expected = texts.map((_, at) => {
      const found = at === 0 ? [{ id: 1 }] : [];
      return { id: at + 1, rows: found, pairs: found };
    });
    expect(await worker.gateway.rows(query)).toEqual(expected);
  });
});
