import { expect, test } from 'vitest';
import { findDrift } from '../../../src/engine/drift/find-drift.js';
import { planPush } from '../../../src/engine/ddl/plan-push.js';
import { columnOf, pushOf, requestOf, tableOf } from './push-of.js';

const schema = `
entities: [{ name: Notes, properties: [{ name: text }] }, { name: Tags, properties: [{ name: text }] }]
tables: [{ name: Notes, mapping: Notes }, { name: Tags, mapping: Lists.Tags }]
`;
const columns = [{ ...columnOf('text', 'varchar'), length: 80 }];
const existing = (ignoresCase: boolean) => [
  tableOf('notes', { columns, ignoresCase }),
  tableOf('tags', { columns, ignoresCase, schema: 'lists', isVisible: false }),
];

test('entities share a table whose names differ in case, where the server does not distinguish them', () => {
  const twice = `
entities:
  - name: Notes
    primaryKey: [id]
    properties: [{ name: id, type: integer }, { name: text }, { name: size, type: integer }]
  - name: Tags
    primaryKey: [id]
    properties: [{ name: id, type: integer }, { name: noteId, type: integer }]
    relations: [{ name: note, from: noteId, entity: Others, to: id }]
  - { name: Others, primaryKey: [id], properties: [{ name: id, type: integer }, { name: size, type: integer }] }
tables: [{ name: Notes, mapping: Notes }, { name: Others, mapping: notes }]
`;
  const planOf = (ignoresCase: boolean) => {
    const database = { name: 'own', collation: undefined, ignoresCase };
    return planPush({ ...requestOf(twice, 'MariaDB'), database }).steps;
  };
  expect(planOf(true).map(({ description }) => description)).toEqual([
    'create table Notes',
    'create table Tags',
    'add foreign key Tags (noteId) to notes',
  ]);
  expect(planOf(false)).toHaveLength(4);
  const present = tableOf('notes', { columns, ignoresCase: true });
  const added = pushOf(twice, 'MariaDB', [present]).filter((sql) => sql.includes('ADD COLUMN'));
  expect(added).toEqual([
    'ALTER TABLE Notes ADD COLUMN id INTEGER',
    'ALTER TABLE Notes ADD COLUMN size INTEGER',
  ]);
});

test('tables are found in any case where the server compares their names so', () => {
  expect(pushOf(schema, 'MySQL', existing(true))).toEqual([]);
  expect(findDrift(requestOf(schema, 'MySQL', existing(true)))).toEqual([]);
  expect(pushOf(schema, 'MySQL', existing(false))).toHaveLength(2);
});
