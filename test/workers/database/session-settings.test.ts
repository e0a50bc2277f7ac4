/** The session's settings that values depend on, whatever the server, the role and the URL say. */
import { expect, test } from 'vitest';
import { connectClient } from '../../../src/workers/database/postgresql/connect.js';
import { useOwnPostgresql } from '../../introspect/own-database.js';
import { startWorker } from '../test-worker.js';

const given = {
  array_nulls: 'off',
  bytea_output: 'escape',
  datestyle: 'SQL',
  extra_float_digits: '-3',
  idle_in_transaction_session_timeout: '60s',
  idle_session_timeout: '60s',
  intervalstyle: 'postgres_verbose',
  standard_conforming_strings: 'off',
  transaction_timeout: '60s',
  timezone: 'Asia/Tokyo',
  transform_null_equals: 'on',
  xmloption: 'document',
};

const kept = {
  array_nulls: 'on',
  bytea_output: 'hex',
  datestyle: 'ISO, MDY',
  extra_float_digits: '3',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  intervalstyle: 'iso_8601',
  standard_conforming_strings: 'on',
  transaction_timeout: '0',
  timezone: 'UTC',
  transform_null_equals: 'off',
  xmloption: 'content',
};

const database = useOwnPostgresql(
  'CREATE TABLE thing (id integer PRIMARY KEY, name text, tags text[])',
);

/** The URL of the database with these settings as `options`. */
function urlWith(settings: object): string {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const separator = database.url.includes('?') ? '&' : '?';
  return `${database.url}${separator}options=${encodeURIComponent(options.join(' '))}`;
}

test('are those of Rowgate', async () => {
  const limits = { connectTimeoutMs: 10_000, statementTimeoutMs: 0 };
  const client = await connectClient({ url: urlWith(given) }, limits);
  try {
    const names = Object.keys(kept).map((name) => `current_setting('${name}') AS ${name}`);
    const { rows } = await client.query(`SELECT ${names.join(', ')}`);
    expect(rows).toEqual([kept]);
  } finally {
    await client.end();
  }
});

test('null is not sent as a string in lists of rows and in arrays', async () => {
  const worker = startWorker(documentOf(urlWith({ array_nulls: 'off' })));
  try {
    const data = [
      { id: 1, name: null, tags: ['a', null] },
      { id: 2, name: 'NULL', tags: ['NULL'] },
      { id: 3, name: null, tags: null },
    ];
    await worker.gateway.execute('thing.bulkInsert()', { data });
    expect(await worker.gateway.rows('thing.sort(p=>p.id)')).toEqual(data);
  } finally {
    await worker.close();
  }
});

function documentOf(url: string): unknown {
  const properties = [
    { name: 'id', type: 'integer' },
    { name: 'name', type: 'string' },
    { name: 'tags', type: 'string[]' },
  ];
  return {
    domain: { version: '1.0.0', entities: [{ name: 'thing', primaryKey: ['id'], properties }] },
    infrastructure: {
      mappings: [{ name: 'default' }],
      sources: [
        { name: 'default', dialect: 'PostgreSQL', mapping: 'default', connection: { url } },
      ],
      stages: [{ name: 'default', sources: [{ name: 'default' }] }],
    },
  };
}
