/** A column that a schema file cannot describe fully does not make the database unservable. */
import { expect, test } from 'vitest';
import type { DialectName } from '../../../src/engine/schema/model.js';
import { checkSchema, draftDocument, draftSchema } from '../../../src/engine/index.js';
import { columnOf, tableOf } from '../ddl/push-of.js';

const status = { name: 'Status', values: ['open'] };

test.each<[string, DialectName, object]>([
  ['an integer with a fraction as its default', 'PostgreSQL', { type: 'int4', default: '1.5' }],
  ['a string of no characters', 'MySQL', { type: 'char', length: 0 }],
  ['a text like a member of an enum', 'PostgreSQL', { type: 'text', default: "'Status.x'::text" }],
])('%s', (_, dialect, parts) => {
  const columns = [
    columnOf('id', 'date', false),
    { ...columnOf('state', 'Status'), enum: status },
    { ...columnOf('odd', 'text'), ...parts },
  ];
  const tables = [tableOf('things', { columns, primaryKey: ['id'] })];
  const draft = draftSchema({ tables, dialect, schemas: [] });
  expect(draft.entities).toMatchObject([{ content: { properties: [{}, {}, {}] } }]);
  expect(checkSchema(draftDocument(draft, { dialect, connection: {} }), {})).toEqual([]);
});
