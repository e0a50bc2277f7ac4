/** Keys whose properties have another type than their columns, which PostgreSQL cannot compare with a list of keys. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCommand } from '../support/call-command.js';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { type Program, rowsOf, startProgram } from '../support/program.js';
import { useOwnPostgresql } from './own-database.js';
import { refusal } from './served-suite.js';

const key = 'a3bb189e-8bf9-4888-9912-ace4e6543002';

const database = useOwnPostgresql(`
  CREATE TABLE owner (id varchar(36) PRIMARY KEY);
  CREATE TABLE thing (id integer PRIMARY KEY, owner varchar(36));
  CREATE TABLE host (id inet PRIMARY KEY);
  CREATE TABLE port (id integer PRIMARY KEY, host inet);
  INSERT INTO owner VALUES ('${key}');
  INSERT INTO thing VALUES (1, '${key}');
  INSERT INTO host VALUES ('10.0.0.1');
  INSERT INTO port VALUES (1, '10.0.0.1')`);

/** The schema file, in which the keys of owners and hosts have these types. */
function schemaFile(owners: string, hosts: string): string {
  const path = join(makeTemporaryDirectory(), 'schema.json');
  const pair = (parent: string, child: string, type: string) => [
    {
      name: parent,
      primaryKey: ['id'],
      properties: [{ name: 'id', type, length: 36, required: true }],
    },
    {
      name: child,
      primaryKey: ['id'],
      properties: [
        { name: 'id', type: 'integer', required: true },
        { name: parent, type, length: 36 },
      ],
      relations: [
        { name: 'parent', from: parent, entity: parent, to: 'id', weak: true, target: 'children' },
      ],
    },
  ];
  const entities = [...pair('owner', 'thing', owners), ...pair('host', 'port', hosts)];
  const sources = [{ name: 'main', dialect: 'PostgreSQL', connection: '${DATABASE_URL}' }];
  writeFileSync(path, JSON.stringify({ domain: { entities }, infrastructure: { sources } }));
  return path;
}

async function diff(path: string): Promise<readonly string[]> {
  const { stdout } = await callCommand(['diff', '--schema', path], { DATABASE_URL: database.url });
  return stdout.trim().split('\n');
}

const refused = { status: 400, code: 'operation-undefined' };

test('diff reports the relations that an include cannot follow', async () => {
  const path = schemaFile('uuid', 'string');
  const end = "so 'include' cannot follow the relation.";
  const owner = 'has type uuid, but the type of its column is character varying(36)';
  const host = 'has type string, but the type of its column is inet';
  expect(await diff(path)).toEqual([
    `main: owner.children: Property 'owner' of thing ${owner}, ${end}`,
    `main: thing.parent: Property 'id' of owner ${owner}, ${end}`,
    `main: host.children: Property 'host' of port ${host}, ${end}`,
    `main: port.parent: Property 'id' of host ${host}, ${end}`,
  ]);
  await withProgram(path, async (program) => {
    expect(await refusal(program, things)).toMatchObject(refused);
    expect(await refusal(program, owners)).toMatchObject(refused);
    expect(await refusal(program, hosts)).toMatchObject(refused);
  });
});

test('diff reports none whose properties have the types of their columns', async () => {
  const path = schemaFile('string', 'inet');
  expect(await diff(path)).toEqual(['No differences.']);
  await withProgram(path, async (program) => {
    expect(await rowsOf(program, things)).toEqual([{ id: 1, parent: { id: key } }]);
    expect(await rowsOf(program, owners)).toEqual([{ id: key, children: [{ id: 1, owner: key }] }]);
  });
});

const things = 'thing.map(p=>p.id).include(p=>p.parent)';
const owners = 'owner.map(p=>p.id).include(p=>p.children)';
const hosts = 'host.map(p=>p.id).include(p=>p.children)';

async function withProgram(path: string, use: (program: Program) => Promise<void>): Promise<void> {
  const flags = ['--schema', path, '--workers', '1'];
  const program = await startProgram(flags, { DATABASE_URL: database.url });
  try {
    await use(program);
  } finally {
    await program.stop();
  }
}
