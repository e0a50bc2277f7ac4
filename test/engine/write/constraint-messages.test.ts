/** The message of an unmet constraint, and patterns that refer to their own groups. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { compileQuery, createCatalog, loadSchema, readRows } from '../../../src/engine/index.js';

const catalog = createCatalog(
  loadSchema(
    parse(`
domain:
  enums:
    - { name: mood, values: [{ name: ok, value: ok }, { name: sad, value: sad }] }
  entities:
    - name: Persons
      properties: [{ name: name, required: true }, { name: mood, enum: mood }]
    - name: Words
      properties: [{ name: text }, { name: other }]
      constraints:
        - { message: A word has no double letters., condition: 'text == null || !test(text, "(\\w)\\1")' }
        - { message: Is it another word?, condition: 'other != text' }
        - { message: The other word is short, condition: 'length(other) < 9' }
infrastructure:
  mappings: [{ name: default }]
  sources: [{ name: default, dialect: PostgreSQL, mapping: default, connection: {} }]
  stages: [{ name: default, sources: [{ name: default }] }]
`),
  ),
);
const limits = { expressionLengthMax: 1000, nestingMax: 64, includeDepthMax: 8 };
const none = () => expect.unreachable();
const capabilities = { now: '2024-01-01T00:00:00Z', cipher: { encrypt: none, decrypt: none } };
const order = { expression: 'Words.insert()', stage: 'default', view: 'default', limits };

test.each([
  [{ text: 'letter', other: 'x' }, 'A word has no double letters.'],
  [{ text: 'word', other: 'word' }, 'Is it another word?'],
  [{ text: 'word', other: 'a long word' }, 'The other word is short.'],
  [{ text: 'ee', other: 'ee' }, '2 constraints are not met.'],
])('of %j: %s', (row, message) => {
  const { root } = compileQuery(catalog, order);
  expect(() => readRows(root, row, capabilities)).toThrow(
    expect.objectContaining({ code: 'constraint-unmet', message }),
  );
  expect(readRows(root, { text: 'word', other: 'short' }, capabilities)).toHaveLength(1);
});

test.each([
  [{ nmae: 'Ann' }, `The data has 'nmae', which is not used.`],
  [{ mood: 'ok' }, undefined],
  [{ name: null, mood: 'ok' }, undefined],
  [{ name: 'Ann', mood: 'glad' }, `Its values are 'ok', 'sad'.`],
])('the hint for %j: %s', (row, hint) => {
  const { root } = compileQuery(catalog, { ...order, expression: 'Persons.insert()' });
  const unmet = expect.objectContaining({ code: 'constraint-unmet', hint });
  expect(() => readRows(root, row, capabilities)).toThrow(unmet);
});
