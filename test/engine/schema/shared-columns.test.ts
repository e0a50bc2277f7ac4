/** Two properties that are written to one column are an error of the schema file. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkSchema } from '../../../src/engine/load/load.js';

function problemsOf(dialect: string, properties: string, columns: string): readonly string[] {
  const document: unknown = parse(`
domain:
  entities: [{ name: Item, primaryKey: [id], properties: [{ name: id, type: integer }, ${properties}] }]
infrastructure:
  mappings: [{ name: default, entities: [{ name: Item, mapping: item, properties: [${columns}] }] }]
  sources: [{ name: main, dialect: ${dialect}, mapping: default }]`);
  return checkSchema(document).map(({ place, detail, hint }) => `${place}: ${detail} ${hint}`);
}

const HINT = 'Give one of them another column, or make it readOnly.';

test.each(['PostgreSQL', 'MariaDB', 'MySQL'])(
  'names that %s does not distinguish are one column',
  (dialect) => {
    expect(problemsOf(dialect, '{ name: Code }, { name: code }', '')).toEqual([
      `domain.entities[0].properties[2]: Properties 'Code' and 'code' of entity 'Item' have the same column 'code' in source 'main': ${dialect} does not distinguish 'Code' from 'code'. ${HINT}`,
    ]);
    const quoted = problemsOf(dialect, '{ name: a }, { name: b }', `{ name: a, mapping: '"B"' }`);
    expect(quoted).toHaveLength(dialect === 'PostgreSQL' ? 0 : 1);
  },
);

test('one column for two properties is reported at the mapping', () => {
  const columns = '{ name: a, mapping: x }, { name: b, mapping: x }';
  expect(problemsOf('PostgreSQL', '{ name: a }, { name: b }', columns)).toEqual([
    `infrastructure.mappings[0].entities[0].properties[1]: Properties 'a' and 'b' of entity 'Item' have the same column 'x' in source 'main'. ${HINT}`,
  ]);
});

test.each([
  ['a read-only property', '{ name: a }, { name: b, readOnly: true }', '{ name: b, mapping: a }'],
  ['a column of a filter', '{ name: a }', '{ name: kind, type: string, mapping: a }'],
  ['another name', '{ name: Code }, { name: code }', '{ name: Code, mapping: codes }'],
])('%s may use a column', (_, properties, columns) => {
  expect(problemsOf('MariaDB', properties, columns)).toEqual([]);
});

test('a source that does not store the entity is not concerned', () => {
  const document: unknown = parse(`
domain:
  entities:
    - { name: Item, primaryKey: [id], properties: [{ name: id, type: integer }, { name: a }] }
    - { name: Log, properties: [{ name: Code }, { name: code }] }
infrastructure:
  mappings: [{ name: quoted, entities: [{ name: Log, properties: [{ name: Code, mapping: '"Code"' }] }] }, { name: plain }]
  sources:
    - { name: one, dialect: PostgreSQL, mapping: quoted }
    - { name: two, dialect: MariaDB, mapping: plain }
  stages: [{ name: default, sources: [{ name: one, condition: 'entity == "Log"' }, { name: two }] }]`);
  expect(checkSchema(document)).toEqual([]);
});
