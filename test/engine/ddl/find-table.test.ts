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

test('a table or column whose name differs only by case is named with the mapping to write', () => {
  const text = `
entities:
  - { name: People, properties: [{ name: Name, length: 80 }] }
  - { name: Pets, properties: [{ name: text }] }
  - { name: Toys, properties: [{ name: text }] }
tables: [{ name: People, mapping: people }, { name: Toys, mapping: lists.toys }]
`;
  const named = [{ ...columnOf('Name', 'varchar'), length: 80 }];
  const request = requestOf(text, 'PostgreSQL', [
    tableOf('people', { columns: named }),
    tableOf('Pets', { columns }),
    tableOf('Toys', { columns, schema: 'lists', isVisible: false }),
    tableOf('PETS', { columns, schema: 'other', isVisible: false }),
  ]);
  expect(planPush(request).remarks).toEqual([
    `the table people had no column Name. It has "Name": write mapping: '"Name"'.`,
    `there was no table Pets. There is "Pets": write mapping: '"Pets"'.`,
    `there was no table lists.toys. There is "Toys": write mapping: 'lists."Toys"'.`,
  ]);
  const found = findDrift(request);
  expect(found.map(({ why }) => why)).toEqual([
    `The table people has no column Name. It has "Name": write mapping: '"Name"'.`,
    `The table Pets does not exist. There is "Pets": write mapping: '"Pets"'.`,
    `The table lists.toys does not exist. There is "Toys": write mapping: 'lists."Toys"'.`,
  ]);
});

test('on MySQL, the mapping of a table in another case has no quotes', () => {
  const text = `
entities: [{ name: Notes, properties: [{ name: text }] }]
tables: [{ name: Notes, mapping: Notes }]
`;
  expect(findDrift(requestOf(text, 'MySQL', existing(false))).map(({ why }) => why)).toEqual([
    expect.stringMatching(/ There is "notes": write mapping: 'notes'\.$/),
  ]);
});
