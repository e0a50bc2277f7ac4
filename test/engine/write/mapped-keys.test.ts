/** A `key` that only the mapping has is written and found like one of the domain. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  batchRows,
  checkSchema,
  compileQuery,
  createCatalog,
  loadSchema,
  readRows,
} from '../../../src/engine/index.js';

const fileOf = (kind: string, property: string) =>
  parse(`
domain:
  entities:
    - name: Cats
      primaryKey: [id]
      properties: [{ name: id, type: integer, required: true }, { name: name }${kind}]
infrastructure:
  mappings:
    - name: default
      entities: [{ name: Cats, mapping: pets, properties: [${property}] }]
  sources: [{ name: default, dialect: PostgreSQL, mapping: default, connection: {} }]
`);
const none = () => expect.unreachable();
const capabilities = { now: '2024-01-01T00:00:00Z', cipher: { encrypt: none, decrypt: none } };
const limits = { expressionLengthMax: 1000, nestingMax: 64, includeDepthMax: 8 };

test.each([
  ['of the mapping alone', ''],
  ['of a property of the domain', ', { name: kind }'],
])('a key %s', (_, kind) => {
  const file = fileOf(kind, '{ name: kind, key: cat }');
  const catalog = createCatalog(loadSchema(file));
  const textOf = (expression: string) => {
    const { root } = compileQuery(catalog, {
      expression,
      stage: 'default',
      view: 'default',
      limits,
    });
    const { write, dialect, alias } = root;
    if (write?.kind !== 'rows') return expect.unreachable();
    const rows = readRows(root, { id: 1, name: 'Tom' }, capabilities);
    return batchRows({ write, dialect, alias }, rows)[0]?.statement.text;
  };
  expect(textOf('Cats.insert()')).toMatch(/^INSERT INTO pets \(id, name, kind\)/);
  expect(textOf('Cats.update()')).toMatch(/ SET name = [^,]* WHERE .*kind = /);
  expect(textOf('Cats.upsert()')).toMatch(
    /ON CONFLICT \(id\) DO UPDATE SET name .* WHERE .*kind = /,
  );
});

test.each([
  ['writeValue: upper(name)', 'writeValue'],
  ['readOnly: true', 'readOnly'],
  ['default: x', 'default'],
])('a mapping cannot set %s', (member, name) => {
  expect(checkSchema(fileOf('', `{ name: name, ${member} }`), {})).toEqual([
    {
      code: 'schema-invalid',
      place: 'infrastructure.mappings[0].entities[0].properties[0]',
      detail: `A mapping cannot set '${name}' of property 'name'.`,
      hint: 'Write it in the domain.',
    },
  ]);
});

test('a mapping may repeat members of the domain, as files that lambdaorm completed do', () => {
  const member = ', { name: kind, required: true, default: Kinds.x, enum: Kinds }';
  const file = fileOf(
    member,
    '{ name: name, required: false, mapping: title }, ' + member.slice(2),
  );
  file.domain.enums = [{ name: 'Kinds', values: [{ name: 'x', value: 'x' }] }];
  expect(checkSchema(file, {})).toEqual([]);
});

test('a mapping says whether its own column allows null or has a sequence or a default', () => {
  const file = fileOf('', '{ name: name, required: true, databaseDefault: true }');
  expect(checkSchema(file, {})).toEqual([]);
});
