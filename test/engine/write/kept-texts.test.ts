/** The texts of the statements that write rows are kept for the next request, but only so many characters of them. */
import { expect, test } from 'vitest';
import {
  batchRows,
  compileQuery,
  createCatalog,
  loadSchema,
  readRows,
} from '../../../src/engine/index.js';

const PROPERTIES = Array.from({ length: 8 }, (_, index) => `p${index}`);
const none = () => expect.unreachable();
const capabilities = { now: '2024-01-01T00:00:00Z', cipher: { encrypt: none, decrypt: none } };
const limits = { expressionLengthMax: 1000, nestingMax: 64, includeDepthMax: 8 };

test('the texts of long lists are dropped when there are many', () => {
  const id = { name: 'id', type: 'integer', required: true };
  const properties = [id, ...PROPERTIES.map((name) => ({ name, type: 'integer' }))];
  const catalog = createCatalog(
    loadSchema({
      domain: { entities: [{ name: 'Cats', primaryKey: ['id'], properties }] },
      infrastructure: { sources: [{ name: 'default', dialect: 'MariaDB', connection: {} }] },
    }),
  );
  const query = { expression: 'Cats.bulkInsert()', stage: 'default', view: 'default', limits };
  const { root } = compileQuery(catalog, query);
  const { write, dialect, alias } = root;
  if (write?.kind !== 'rows') return expect.unreachable();
  /** What is kept for lists of rows with the properties whose bits are set. */
  const keptFor = (bits: number) => {
    const given = PROPERTIES.filter((_, index) => bits & (1 << index)).map((name) => [name, 1]);
    const data = Array.from({ length: 1024 }, (_, row) => ({
      id: row,
      ...Object.fromEntries(given),
    }));
    const [batch] = batchRows({ write, dialect, alias }, readRows(root, data, capabilities));
    return batch?.likeness;
  };
  const first = keptFor(0);
  expect(keptFor(1)).not.toBe(first);
  expect(keptFor(0)).toBe(first);
  for (let bits = 1; bits < 128; bits += 1) keptFor(bits);
  expect(keptFor(0)).not.toBe(first);
});
