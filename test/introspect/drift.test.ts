/**
 * Tables that have changed since their schema file was written: the differences are reported by diff,
 * check and serve.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import net, { type AddressInfo, type NetConnectOpts } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callCommand } from '../support/call-command.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { runCommand, startProgram, until } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

const TABLES = `
CREATE TABLE owner (id integer PRIMARY KEY, name varchar(40) NOT NULL, born date);
CREATE TABLE pet (id integer PRIMARY KEY, name varchar(40) NOT NULL, weight numeric(6,2), owner_id integer,
  FOREIGN KEY (owner_id) REFERENCES owner (id));
CREATE TABLE vet (id integer PRIMARY KEY);`;

const CHANGES = {
  PostgreSQL: `
    ALTER TABLE owner ALTER born TYPE integer USING 0;
    ALTER TABLE owner ALTER name TYPE varchar(20);
    ALTER TABLE pet DROP weight;
    ALTER TABLE pet ALTER name DROP NOT NULL;
    ALTER TABLE pet ALTER owner_id SET NOT NULL;
    ALTER TABLE pet ADD chip varchar(20) NOT NULL;
    DROP TABLE vet;`,
  MariaDB: `
    ALTER TABLE owner MODIFY born integer;
    ALTER TABLE owner MODIFY name varchar(20) NOT NULL;
    ALTER TABLE pet DROP weight;
    ALTER TABLE pet MODIFY name varchar(40);
    ALTER TABLE pet MODIFY owner_id integer NOT NULL;
    ALTER TABLE pet ADD chip varchar(20) NOT NULL;
    DROP TABLE vet;`,
};

function expected({ dialect }: OwnDatabase): readonly string[] {
  const isPostgresql = dialect === 'PostgreSQL';
  const integer = isPostgresql ? 'integer' : 'int(11)';
  return [
    'Owner.name: Its strings have up to 40 characters, but the column holds only 20.',
    `Owner.born: Its type is date, but that of the column is ${integer}.`,
    'Pet.name: It is required, but the column allows null.',
    'Pet.weight: The table pet has no column weight.',
    'Pet.ownerId: It allows null, but the column does not.',
    'Pet: The column chip is required but not mapped, so inserts fail.',
    `Vet: The table vet does not exist${isPostgresql ? '' : ', or the user has no right to it'}.`,
  ];
}

/** Far more than the second that the comparison may delay the end. */
const END_MS = 15_000;

/** Forwards bytes, except for answers on a connection that has asked for tables. */
async function startSilencingRelay(target: NetConnectOpts): Promise<{
  readonly port: number;
  readonly isSilent: () => boolean;
}> {
  let silenced = 0;
  const relay = net.createServer((client) => {
    const server = net.connect(target);
    let isSilent = false;
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
    client.on('data', (bytes) => {
      if (!isSilent && /\b(pg_class|information_schema)\b/i.test(bytes.toString('latin1'))) {
        isSilent = true;
        silenced += 1;
      }
      server.write(bytes);
    });
    server.on('data', (bytes) => !isSilent && client.write(bytes));
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  onTestFinished(() => void relay.close());
  const { port } = relay.address() as AddressInfo;
  return { port, isSilent: () => silenced > 0 };
}

describe('drift on PostgreSQL', () => {
  suite(useOwnPostgresql(TABLES));
});

describeMariadb('drift', () => {
  suite(useOwnMariadb(TABLES));
});

function suite(database: OwnDatabase): void {
  const file = join(makeTemporaryDirectory(), 'schema.yaml');

  test('a schema file that exists is replaced only on demand', async () => {
    const words = [
      'introspect',
      database.url,
      '--output',
      join(makeTemporaryDirectory(), 'a.yaml'),
    ];
    expect((await callCommand(words)).code).toBe(0);
    const { code, stderr } = await callCommand(words);
    expect([code, stderr]).toEqual([2, expect.stringContaining('a.yaml exists already: --force')]);
    expect((await callCommand([...words, '--force'])).code).toBe(0);
  });

  test('an unchanged database has none, and each change is reported', async () => {
    const environment = { DATABASE_URL: database.url };
    await runCommand(['introspect', database.url, '--output', file]);
    const before = await runCommand(['diff', '--schema', file], environment);
    expect(before).toEqual({ code: 0, stdout: 'No differences.\n', stderr: '' });
    await database.run(CHANGES[database.dialect]);
    const lines = expected(database).map((line) => `default: ${line}`);
    const { code, stdout } = await runCommand(['diff', '--schema', file], environment);
    expect([code, stdout.trim().split('\n')]).toEqual([1, lines]);
    const check = await runCommand(['check', '--connect', '--schema', file], environment);
    expect([check.code, check.stderr.trim().split('\n')]).toEqual([
      0,
      lines.map((line) => `warning: ${line}`),
    ]);
    const strict = ['--strict', '--schema', file];
    expect((await runCommand(['check', '--connect', ...strict], environment)).code).toBe(1);
    const refused = await runCommand(['serve', '--port', '0', ...strict], environment);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toBe(
      ['rowgate: The schema and the database differ:', ...lines, ''].join('\n'),
    );
    const program = await startProgram(['--schema', file, '--workers', '1'], environment);
    try {
      const differences = () => program.log.filter(({ event }) => event === 'drift');
      await until('the differences are logged', () => differences().length >= lines.length);
      expect(
        differences().map(({ source, place, why }) => [source, place, why].join(': ')),
      ).toEqual(lines);
    } finally {
      await program.stop();
    }
  });

  test('a database that falls silent while its tables are read does not delay the end', async () => {
    const relay = await startSilencingRelay(database.target);
    const environment = { DATABASE_URL: database.urlThrough(relay.port) };
    const program = await startProgram(['--schema', file, '--workers', '1'], environment);
    await until('its tables are read', relay.isSilent);
    const begin = performance.now();
    expect(await program.stop()).toBe(0);
    expect(performance.now() - begin).toBeLessThan(END_MS);
    expect(program.log.filter(({ event }) => event === 'drift-unknown')).toEqual([]);
  });

  test('a pushed schema does not differ', async () => {
    const environment = { DATABASE_URL: database.url };
    const pushed = join(makeTemporaryDirectory(), 'pushed.json');
    const types = [
      'integer',
      'decimal',
      'number',
      'string',
      'boolean',
      'dateTime',
      'date',
      'time',
      'json',
    ];
    const properties = [...types, 'any'].map((type) => ({ name: `p_${type}`, type }));
    const many = { name: 'long', length: 100_000 };
    const entities = [
      {
        name: 'Everything',
        primaryKey: ['id'],
        properties: [
          { name: 'id', type: 'integer', autoIncrement: true },
          { name: 'endless', length: 'max', required: true },
          many,
          ...properties,
        ],
      },
    ];
    const sources = [{ name: 'main', dialect: database.dialect, connection: '${DATABASE_URL}' }];
    const document = { domain: { entities }, infrastructure: { sources } };
    writeFileSync(pushed, JSON.stringify(document));
    expect((await callCommand(['push', '--schema', pushed], environment)).code).toBe(0);
    const { code, stdout } = await callCommand(['diff', '--schema', pushed], environment);
    expect([code, stdout]).toEqual([
      0,
      'note: main: owner: The table is not mapped.\nnote: main: pet: The table is not mapped.\n',
    ]);
  });

  test('what the schema lacks is noted, and an error only with --strict', async () => {
    const environment = { DATABASE_URL: database.url };
    const path = join(makeTemporaryDirectory(), 'schema.yaml');
    await callCommand(['introspect', database.url, '--output', path]);
    await database.run(`ALTER TABLE owner ADD phone varchar(20);
      CREATE TABLE visit (id integer PRIMARY KEY);
      CREATE VIEW names AS SELECT name FROM owner;`);
    const notes = [
      'note: default: names: The view is not mapped.',
      'note: default: Owner: The column phone is not mapped.',
      'note: default: visit: The table is not mapped.',
      '',
    ].join('\n');
    const words = ['diff', '--schema', path];
    const found = { stdout: notes, stderr: '' };
    expect(await callCommand(words, environment)).toEqual({ code: 0, ...found });
    expect(await callCommand([...words, '--strict'], environment)).toEqual({ code: 1, ...found });
    const checked = await callCommand(['check', '--connect', ...words.slice(1)], environment);
    expect([checked.code, checked.stderr]).toEqual([0, '']);
  });
}
