/** Entities of views, foreign tables and tables of extensions: `push` and `drop` leave these as they are. */
import { expect, test } from 'vitest';
import type { ExistingTable } from '../../../src/engine/ddl/existing.js';
import { planDrop } from '../../../src/engine/ddl/plan-drop.js';
import { planPush } from '../../../src/engine/ddl/plan-push.js';
import { columnOf, requestOf, tableOf } from './push-of.js';

const schema = `
entities:
  - name: Pets
    primaryKey: [id]
    properties: [{ name: id, type: integer, required: true }, { name: name, length: 20 }]
    indexes: [{ name: names, fields: [name] }]
  - name: Visits
    primaryKey: [id]
    properties: [{ name: id, type: integer, required: true }, { name: petId, type: integer }]
    relations: [{ name: pet, from: petId, entity: Pets, to: id, target: visits }]
`;

const columns = [columnOf('id', 'int4', false)];

test.each<[string, ExistingTable['kind']]>([
  ['view', 'view'],
  ['materialized view', 'materialized view'],
  ['foreign table', 'foreign table'],
  ['table of an extension', 'extension'],
])('push and drop do not change a %s, and say so', (what, kind) => {
  const request = requestOf(schema, 'PostgreSQL', [tableOf('pets', { kind, columns })]);
  const pushed = planPush(request);
  expect(pushed.steps.map(({ description }) => description)).toEqual([
    'create table Visits',
    'create index Visits (petId)',
  ]);
  expect(pushed.remarks).toEqual([`public.pets is a ${what}, so push does not change it`]);
  expect(planDrop(request)).toEqual({
    steps: [],
    remarks: [`public.pets is a ${what}, so drop does not change it`],
  });
});
