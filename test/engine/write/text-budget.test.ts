/** The texts that the rows of a write compute are limited together, apart from short ones. */
import { expect, test } from 'vitest';
import { compileQuery, createCatalog, loadSchema, readRows } from '../../../src/engine/index.js';
import { TEXT_LENGTH_MAX } from '../../../src/engine/values/evaluate/bounded-text.js';

const none = () => expect.unreachable();
const capabilities = { now: '2024-01-01T00:00:00Z', cipher: { encrypt: none, decrypt: none } };
const limits = { expressionLengthMax: 1000, nestingMax: 64, includeDepthMax: 8 };
const catalog = createCatalog(
  loadSchema({
    domain: {
      entities: [
        {
          name: 'Notes',
          primaryKey: ['id'],
          properties: [
            { name: 'id', type: 'integer', required: true },
            { name: 'text', length: 'max' },
          ],
        },
      ],
    },
    infrastructure: { sources: [{ name: 'default', dialect: 'PostgreSQL', connection: {} }] },
  }),
);

/** The plan of an insert whose texts are the values of the expression. */
function rootOf(text: string) {
  const expression = `Notes.bulkInsert({id: id, text: ${text}})`;
  return compileQuery(catalog, { expression, stage: 'default', view: 'default', limits }).root;
}

const root = rootOf('replace(x, "x", y)');

/** Rows whose texts have `count * length` characters each. */
function rowsOf(rows: number, count: number, length: number) {
  const [x, y] = ['x'.repeat(count), 'y'.repeat(length)];
  return Array.from({ length: rows }, (_, id) => ({ id, x, y }));
}

const tooMuch = expect.objectContaining({ code: 'value-out-of-range' });

test('two texts of the largest length are computed, and a third is refused', () => {
  const length = TEXT_LENGTH_MAX / 1024;
  expect(readRows(root, rowsOf(2, 1024, length), capabilities)).toHaveLength(2);
  expect(() => readRows(root, rowsOf(3, 1024, length), capabilities)).toThrow(
    expect.objectContaining({
      code: 'value-out-of-range',
      message:
        "Property 'text' of entity 'Notes' cannot be evaluated: The texts that the request computes are more than 67108864 characters longer than its own.",
      place: 'data[2].text',
    }),
  );
});

test('texts that are no longer than the value they are made of are limited as well', () => {
  const rows = [{ id: 1, x: 'x'.repeat(TEXT_LENGTH_MAX / 2) }];
  const all = (count: number) =>
    rootOf(`${Array.from({ length: count }, () => 'trim(x)=="a"').join(' || ')} ? "a" : "b"`);
  expect(readRows(all(32), rows, capabilities)).toHaveLength(1);
  expect(() => readRows(all(33), rows, capabilities)).toThrow(tooMuch);
});

test('short texts of many rows are not counted', () => {
  expect(readRows(root, rowsOf(265_000, 1, 255), capabilities)).toHaveLength(265_000);
});

test('the rows of an import are limited one by one', () => {
  const rows = rowsOf(3, 1024, TEXT_LENGTH_MAX / 1024);
  expect(readRows(root, rows, { ...capabilities, isImport: true })).toHaveLength(3);
});

test('texts that become no longer than those of the body are not counted', () => {
  const rows = rowsOf(9, 1, TEXT_LENGTH_MAX / 4);
  const passes = rootOf('trim(nvl(trim(y), "none"))');
  expect(readRows(passes, rows, capabilities)).toHaveLength(9);
});

test('each function that is applied to a text that has become longer is counted', () => {
  const rows = rowsOf(1, 1024, TEXT_LENGTH_MAX / 1024);
  const passes = rootOf('trim(trim(replace(x, "x", y)))');
  expect(() => readRows(passes, rows, capabilities)).toThrow(tooMuch);
});

test('literals are counted, because all rows share them', () => {
  const long = 'z'.repeat(800);
  const rows = rowsOf(90_000, 1, 1);
  expect(() => readRows(rootOf(`reverse("${long}")`), rows, capabilities)).toThrow(tooMuch);
});
