/** Related columns of different types of the database: equal keys belong together, whatever their texts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

/** A column of the database, and a value in it. */
type Key = readonly [property: string, column: string, value: string];

interface Pair {
  readonly parent: Key;
  readonly child: Key;
}

const onPostgresql: readonly Pair[] = [
  {
    parent: ['dateTime', 'timestamptz', '2024-02-29 12:30:00+00'],
    child: ['dateTime', 'timestamp', '2024-02-29 12:30:00'],
  },
  { parent: ['dateTime', 'timestamp', '2024-02-29'], child: ['dateTime', 'date', '2024-02-29'] },
  { parent: ['interval', 'interval', '1 day'], child: ['interval', 'interval', '24:00:00'] },
  { parent: ['decimal', 'numeric(9,2)', '7'], child: ['decimal', 'integer', '7'] },
];

const onMariadb: readonly Pair[] = [
  {
    parent: ['dateTime', 'datetime', '2024-02-29 12:30:00'],
    child: ['dateTime', 'datetime(6)', '2024-02-29 12:30:00'],
  },
  { parent: ['time', 'time(3)', '12:30:00'], child: ['time', 'time', '12:30:00'] },
  { parent: ['integer', 'integer', '7'], child: ['decimal', 'decimal(9,2)', '7'] },
  { parent: ['decimal', 'decimal(9,2)', '7'], child: ['decimal', 'integer', '7'] },
];

function tablesSql(pairs: readonly Pair[]): string {
  return pairs
    .map(
      ({ parent: [, parent, code], child: [, child, key] }, index) => `
        CREATE TABLE parent${index} (code ${parent} PRIMARY KEY);
        CREATE TABLE child${index} (id integer PRIMARY KEY, parent ${child});
        INSERT INTO parent${index} VALUES ('${code}');
        INSERT INTO child${index} VALUES (1, '${key}'), (2, '${key}'), (3, NULL);`,
    )
    .join('');
}

function schemaOf(pairs: readonly Pair[], { dialect, url }: OwnDatabase): string {
  const entities = pairs.flatMap(({ parent, child }, index) => [
    {
      name: `Parents${index}`,
      primaryKey: ['code'],
      properties: [{ name: 'code', type: parent[0], required: true }],
    },
    {
      name: `Children${index}`,
      primaryKey: ['id'],
      properties: [
        { name: 'id', type: 'integer', required: true },
        { name: 'parentKey', type: child[0] },
      ],
      relations: [
        {
          name: 'parent',
          from: 'parentKey',
          entity: `Parents${index}`,
          to: 'code',
          weak: true,
          target: 'children',
        },
      ],
    },
  ]);
  const mapped = pairs.flatMap((_, index) => [
    { name: `Parents${index}`, mapping: `parent${index}` },
    {
      name: `Children${index}`,
      mapping: `child${index}`,
      properties: [{ name: 'parentKey', mapping: 'parent' }],
    },
  ]);
  return JSON.stringify({
    domain: { entities },
    infrastructure: {
      mappings: [{ name: 'default', entities: mapped }],
      sources: [{ name: 'main', dialect, connection: url }],
    },
  });
}

function suite(pairs: readonly Pair[], database: OwnDatabase): void {
  const folder = mkdtempSync(join(tmpdir(), 'rowgate-test-'));
  let program: Program;
  beforeAll(async () => {
    const file = join(folder, 'schema.json');
    writeFileSync(file, schemaOf(pairs, database));
    program = await startProgram(['--schema', file, '--workers', '1']);
  });
  afterAll(async () => {
    await program.stop();
    rmSync(folder, { recursive: true });
  });

  test.each(pairs.map(({ parent, child }, index) => [parent[1], child[1], index] as const))(
    'a parent of type %s and children of type %s find each other',
    async (_parent, _child, index) => {
      const children = await rowsOf(
        program,
        `Parents${index}.map(p=>p.code).include(p=>p.children.sort(c=>c.id).map(c=>c.id))`,
      );
      expect(children).toMatchObject([{ children: [{ id: 1 }, { id: 2 }] }]);
      const parents = await rowsOf(
        program,
        `Children${index}.sort(p=>p.id).map(p=>p.id).include(p=>p.parent)`,
      );
      const code: unknown = expect.anything();
      expect(parents).toMatchObject([
        { id: 1, parent: { code } },
        { id: 2, parent: { code } },
        { id: 3, parent: null },
      ]);
    },
  );
}

describe('on PostgreSQL', () => {
  suite(onPostgresql, useOwnPostgresql(tablesSql(onPostgresql)));
});

describeMariadb('keys of other types', () => {
  suite(onMariadb, useOwnMariadb(tablesSql(onMariadb)));
});
