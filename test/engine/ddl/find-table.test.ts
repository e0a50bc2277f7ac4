import { expect, test } from 'vitest';
import { findDrift } from '../../../src/engine/drift/find-drift.js';
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

test('tables are found in any case where the server compares their names so', () => {
  expect(pushOf(schema, 'MySQL', existing(true))).toEqual([]);
  expect(findDrift(requestOf(schema, 'MySQL', existing(true)))).toEqual([]);
  expect(pushOf(schema, 'MySQL', existing(false))).toHaveLength(2);
});
