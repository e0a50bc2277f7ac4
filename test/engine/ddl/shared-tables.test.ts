/** Entities that share a table: its columns hold the values of all of them, and `diff` finds nothing to change. */
import { expect, test } from 'vitest';
import { planPush } from '../../../src/engine/ddl/plan-push.js';
import { findDrift } from '../../../src/engine/drift/find-drift.js';
import { columnOf, pushOf, requestOf, tableOf } from './push-of.js';

const schema = `
entities:
  - name: Cats
    primaryKey: [id]
    properties:
      - { name: id, type: integer, required: true }
      - { name: name, length: 10, required: true }
      - { name: weight, type: decimal, precision: 6, scale: 1 }
      - { name: tag, type: integer }
      - { name: purr, required: true }
  - name: Dogs
    primaryKey: [id]
    properties:
      - { name: id, type: integer, required: true }
      - { name: name, length: 40 }
      - { name: weight, type: decimal, precision: 5, scale: 3 }
      - { name: tag, type: bigint }
tables:
  - { name: Cats, mapping: pets }
  - { name: Dogs, mapping: pets }
`;

test('the columns are wide enough for each entity', () => {
  const [created] = pushOf(schema);
  expect(created).toContain(
    'id integer NOT NULL,\n  name varchar(40),\n  weight numeric(8, 3),\n  tag bigint,\n  purr varchar(80),\n',
  );
});

test('there is no drift from them, although one entity requires a value and another does not', () => {
  const columns = [
    columnOf('id', 'int4', false),
    { ...columnOf('name', 'varchar'), length: 40 },
    { ...columnOf('weight', 'numeric'), digits: { precision: 8, scale: 3 } },
    columnOf('tag', 'int8'),
    { ...columnOf('purr', 'varchar'), length: 80 },
  ];
  const existing = [tableOf('pets', { columns, primaryKey: ['id'] })];
  expect(findDrift(requestOf(schema, 'PostgreSQL', existing))).toEqual([]);
});

test('a read-only entity of a table that push creates lacks no view', () => {
  const request = requestOf(`
entities:
  - name: Cats
    primaryKey: [id]
    properties: [{ name: id, type: integer, required: true }]
  - { name: CatList, view: true, properties: [{ name: id, type: integer }] }
  - { name: Numbers, view: true, properties: [{ name: id, type: integer }] }
tables:
  - { name: Cats, mapping: cats }
  - { name: CatList, mapping: cats }
  - { name: Numbers, mapping: cat_numbers }
`);
  expect(planPush(request).remarks).toEqual([expect.stringContaining('no view cat_numbers')]);
  expect(findDrift(request).map(({ why }) => why.split('.')[0])).toEqual([
    'The table cats does not exist',
    'The table cats does not exist',
    'The view cat_numbers does not exist',
  ]);
});
