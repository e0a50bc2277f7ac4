/** The cursor of a page has the stored texts of the keys that databases compare as texts. */
import { expect, test } from 'vitest';
import {
  compileQuery,
  createByteWriter,
  createCatalog,
  loadSchema,
  OutputBytes,
  readArguments,
} from '../../../src/engine/index.js';
import { openCursor, PageCursor } from '../../../src/workers/execute/page-cursor.js';
import { decode, rowBytes } from '../../engine/byte-rows.js';

test.each([
  ['interval', '1 day'],
  ['inet', 'FE80::1'],
  ['time', '25:00:00'],
])('of type %s: %s', (type, stored) => {
  const properties = [
    { name: 'id', type: 'integer' },
    { name: 'key', type },
  ];
  const schema = loadSchema({
    domain: { version: '1.0.0', entities: [{ name: 'Items', primaryKey: ['id'], properties }] },
    infrastructure: { sources: [{ name: 'default', dialect: 'MariaDB', connection: {} }] },
  });
  const expression = 'Items.sort(p=>[p.key, p.id]).after(c).take(1)';
  const plan = compileQuery(createCatalog(schema), { expression });
  if (!plan.cursor) throw new Error('The plan has no cursor.');
  const page = new PageCursor(plan.cursor, readArguments(plan, { c: null }));
  const writer = page.watch(createByteWriter(plan.root, { pretty: false }, decode));
  const fields = plan.root.columns.map(({ type: each }) => (each === 'integer' ? '7' : stored));
  writer.row(new OutputBytes(64), { rows: rowBytes([fields]), includes: [] }, 0);
  const { texts } = readArguments(plan, openCursor(plan, { c: page.next() ?? null }));
  expect([texts.get('c.0'), texts.get('c.1')]).toEqual([stored, '7']);
});
