import { describe, expect, test } from 'vitest';
import { planPush } from '../../../src/engine/ddl/plan-push.js';
import { loadSchema } from '../../../src/engine/load/load.js';
import type { ExistingTable } from '../../../src/engine/ddl/existing.js';
import type { DialectName } from '../../../src/engine/schema/model.js';
import { cases } from './cases.js';
import { planText } from './plan-text.js';

// `vitest -u` updates the golden files.
describe.each<DialectName>(['PostgreSQL', 'MySQL'])('%s', (dialect) => {
  test.each(cases)('$name: $comment', async ({ name, comment, mapping, enums = [], existing }) => {
    const found = dialect === 'MySQL' ? existing.map(inMysql) : existing;
    const plan = planPush({ mapping, enums, dialect, existing: found });
    const file = `golden/push-${name}.${dialect.toLowerCase()}.sql`;
    await expect(planText(comment, plan)).toMatchFileSnapshot(file);
  });
});

test('indexes of columns whose names differ only in case have different names', () => {
  const { mappings, domain } = loadSchema({
    domain: {
      entities: [
        {
          name: 'things',
          properties: [{ name: 'a' }, { name: 'b' }],
          indexes: [
            { name: 'ofA', fields: ['a'] },
            { name: 'ofB', fields: ['b'] },
          ],
        },
      ],
    },
    infrastructure: {
      mappings: [
        {
          name: 'default',
          entities: [
            {
              name: 'things',
              properties: [
                { name: 'a', mapping: '"Code"' },
                { name: 'b', mapping: '"CODE"' },
              ],
            },
          ],
        },
      ],
    },
  });
  const [mapping] = mappings;
  expect.assert(mapping);
  const request = { mapping, enums: domain.enums, dialect: 'PostgreSQL' as const, existing: [] };
  const names = planPush(request).steps.flatMap(
    ({ sql }) => /^CREATE INDEX (\S+)/.exec(sql)?.[1] ?? [],
  );
  expect(new Set(names).size).toBe(2);
});

test('a column that refers to an existing one has its type', () => {
  const { mappings, domain } = loadSchema({
    domain: {
      entities: [
        {
          name: 'shops',
          primaryKey: ['id', 'code'],
          properties: [
            { name: 'id', type: 'bigint' },
            { name: 'code', length: 8 },
          ],
        },
        {
          name: 'visits',
          properties: [
            { name: 'shopCode', length: 8 },
            { name: 'shopId', type: 'bigint' },
          ],
          relations: [
            { name: 'shop', from: ['shopId', 'shopCode'], entity: 'shops', to: ['id', 'code'] },
          ],
        },
      ],
    },
    infrastructure: { mappings: [{ name: 'default' }] },
  });
  const [mapping] = mappings;
  expect.assert(mapping);
  const column = { isNullable: false, origin: 'given' as const };
  const shops: ExistingTable = {
    schema: 'db',
    name: 'shops',
    isVisible: true,
    kind: 'table',
    columns: [
      { ...column, name: 'id', type: 'bigint', declared: 'bigint unsigned' },
      { ...column, name: 'code', type: 'varchar', declared: 'varchar(8)', collation: 'ascii_bin' },
    ],
    primaryKey: ['id', 'code'],
    uniqueKeys: [],
    indexes: [['id', 'code']],
    foreignKeys: [],
  };
  const created = (dialect: DialectName) => {
    const { steps } = planPush({ mapping, enums: domain.enums, dialect, existing: [shops] });
    return steps.find(({ description }) => description === 'create table visits')?.sql;
  };
  for (const dialect of ['MySQL', 'MariaDB'] as const) {
    expect(created(dialect)).toContain(
      'shopCode varchar(8) COLLATE ascii_bin,\n  shopId bigint unsigned\n',
    );
  }
  expect(created('PostgreSQL')).toContain('shopCode varchar(8),\n  shopId bigint unsigned\n');
});

describe('keys that MySQL and MariaDB limit', () => {
  const name = { name: 'name', length: 'max' };
  const entities = [
    { name: 'Places', primaryKey: ['name'], properties: [name] },
    { name: 'Codes', uniqueKey: ['code'], properties: [{ name: 'code', length: 769 }] },
    { name: 'Files', primaryKey: ['tags'], properties: [{ name: 'tags', type: 'string[]' }] },
    {
      name: 'Blocks',
      primaryKey: ['hash'],
      properties: [
        { name: 'hash', type: 'binary' },
        { name: 'before', type: 'binary' },
        { name: 'content', type: 'binary' },
      ],
      relations: [{ name: 'previous', from: 'before', entity: 'Blocks', to: 'hash' }],
    },
    {
      name: 'Visits',
      primaryKey: ['id', 'by'],
      properties: [{ name: 'id', type: 'integer' }, { name: 'by', length: 768 }, name],
      relations: [{ name: 'place', from: 'name', entity: 'Places', to: 'name' }],
    },
  ];
  const plan = (dialect: DialectName) => {
    const schema = { domain: { entities }, infrastructure: { mappings: [{ name: 'default' }] } };
    const { mappings, domain } = loadSchema(schema);
    const [mapping] = mappings;
    expect.assert(mapping);
    return planPush({ mapping, enums: domain.enums, dialect, existing: [] });
  };

  test('are named together', () => {
    const keys = (all: string) => `such long keys: ${all}. Give`;
    expect(() => plan('MySQL')).toThrow(
      keys('Places (name), Codes (code), Files (tags), Visits (name)'),
    );
    // It checks a long unique key by a hash.
    expect(() => plan('MariaDB')).toThrow(keys('Places (name), Files (tags), Visits (name)'));
    expect(plan('PostgreSQL').steps).not.toHaveLength(0);
  });

  test('make columns of binary data short', () => {
    const blocks = { domain: { entities: entities.filter(({ name: each }) => each === 'Blocks') } };
    const { mappings } = loadSchema({ ...blocks, infrastructure: { mappings: [{ name: 'm' }] } });
    const [mapping] = mappings;
    expect.assert(mapping);
    const [step] = planPush({ mapping, enums: [], dialect: 'MySQL', existing: [] }).steps;
    expect(step?.sql).toContain('hash VARBINARY(255)');
    expect(step?.sql).toContain('`before` VARBINARY(255)');
    expect(step?.sql).toContain('content LONGBLOB');
  });
});

/** MySQL keeps the case of table names, which start with a capital letter here. */
function inMysql(table: ExistingTable): ExistingTable {
  const foreignKeys = table.foreignKeys.map((key) => ({ ...key, table: capitalized(key.table) }));
  return { ...table, name: capitalized(table.name), foreignKeys };
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
