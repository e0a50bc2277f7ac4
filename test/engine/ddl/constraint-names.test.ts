/** The names of keys and indexes that `push` adds differ from each other and from existing ones. */
import { expect, test } from 'vitest';
import { columnOf, pushOf, tableOf } from './push-of.js';

const schema = `
entities:
  - name: owner
    primaryKey: [id]
    properties: [{ name: id, type: integer }]
  - name: account
    uniqueKey: [group_code]
    properties: [{ name: group_owner_id, type: integer }, { name: group_code }]
    relations: [{ name: owner, from: group_owner_id, entity: owner, to: id }]
  - name: account_group
    uniqueKey: [code]
    properties: [{ name: owner_id, type: integer }, { name: code }]
    relations: [{ name: owner, from: owner_id, entity: owner, to: id }]
`;
const namesOf = (statements: readonly string[]) =>
  statements.flatMap((sql) =>
    [...sql.matchAll(/(?:CONSTRAINT|INDEX) (\S+)/g)].map(([, name]) => name),
  );

test('tables whose names and columns join to the same words have different names', () => {
  const names = namesOf(pushOf(schema));
  expect(names).toHaveLength(7);
  expect(new Set(names).size).toBe(7);
});

const twice = `
entities:
  - { name: owner, primaryKey: [id], properties: [{ name: id, type: integer }] }
  - { name: tenant, primaryKey: [id], properties: [{ name: id, type: integer }] }
  - name: account
    properties: [{ name: holder, type: integer }]
    relations:
      - { name: owner, from: holder, entity: owner, to: id }
      - { name: tenant, from: holder, entity: tenant, to: id }
`;
const foreignKeysOf = (names: readonly (string | undefined)[]) =>
  names.filter((name) => name?.endsWith('_fkey'));

test('foreign keys of the same column to different tables have different names', () => {
  const [first, second, ...others] = foreignKeysOf(namesOf(pushOf(twice)));
  expect(first).toBe('account_holder_fkey');
  expect(second).toMatch(/^account_holder_\w+_fkey$/);
  expect(others).toEqual([]);
});

test.each(['owner', 'tenant'])('beside one to %s, another one is added', (table) => {
  const name = 'account_holder_fkey';
  const key = { name, columns: ['holder'], schema: 'public', table, targetColumns: ['id'] };
  const columns = [columnOf('holder', 'int4')];
  const tables = ['owner', 'tenant'].map((each) => {
    return tableOf(each, { columns: [columnOf('id', 'int4')], primaryKey: ['id'] });
  });
  const existing = [tableOf('account', { foreignKeys: [key], columns }), ...tables];
  const [added, ...others] = foreignKeysOf(namesOf(pushOf(twice, 'PostgreSQL', existing)));
  expect(added).toMatch(/^account_holder_\w+_fkey$/);
  expect(others).toEqual([]);
});

test.each([
  ['a partial index', { indexNames: ['account_group_owner_id_idx'] }],
  [
    'a foreign key',
    {
      foreignKeys: [
        {
          name: 'account_group_owner_id_fkey',
          columns: ['other'],
          schema: 'public',
          table: 'other',
          targetColumns: ['id'],
        },
      ],
    },
  ],
])('the name of %s is not used again', (_, parts) => {
  const [owner = '', account = ''] = schema.split(/(?=  - name: account_group)/);
  expect(account).not.toBe('');
  const names = namesOf(pushOf(owner, 'PostgreSQL', [tableOf('orders', parts)]));
  const taken =
    'indexNames' in parts ? parts.indexNames : parts.foreignKeys.map(({ name }) => name);
  expect(names.filter((name) => taken.includes(name ?? ''))).toEqual([]);
  expect(names).toHaveLength(4);
});
