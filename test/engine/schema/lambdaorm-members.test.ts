/** Members of lambdaorm's schema files: those of keys and enums have an effect, and those that it computes have none. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkSchema, loadSchema } from '../../../src/engine/load/load.js';
import { describeEntity } from '../../../src/engine/describe/schema.js';
import { createCatalog } from '../../../src/engine/schema/catalog.js';
import type { Schema } from '../../../src/engine/schema/model.js';

test('ignores what lambdaorm computes and exports', () => {
  const document =
    parse(`domain: {entities: [{name: A, primaryKey: [id], uniqueKey: [], required: [], composite: false,
    intermediate: false, dependents: [{entity: B, relation: {name: a}}], hadDefaults: true, hadReadExps: true,
    hadReadValues: true, hadWriteExps: true, hadWriteValues: true, hadViewReadExp: true,
    properties: [{name: id, type: integer, primaryKey: true}]}]}`);
  expect(checkSchema(document)).toEqual([]);
  expect(entityOf(loadSchema(document), 'A')).toMatchObject({
    dependents: [],
    hadDefaults: false,
  });
});

test('takes the marked properties as the primary key of an entity that lists none', () => {
  const document = parse(`domain: {entities: [
    {name: Keyed, abstract: true, properties: [{name: id, type: integer, primaryKey: true}]},
    {name: Marked, extends: Keyed, properties: [{name: id}, {name: part, primaryKey: true}, {name: x, primaryKey: false}]},
    {name: Listed, extends: Keyed, primaryKey: [code], properties: [{name: code}]}]}`);
  const own = loadSchema(document);
  expect(entityOf(own, 'Marked')?.primaryKey).toEqual(['id', 'part']);
  expect(entityOf(own, 'Listed')?.primaryKey).toEqual(['code']);
});

test('adds the values of the base to an enum, and lists no abstract enums', () => {
  const document = parse(`domain: {entities: [], enums: [
    {name: Base, abstract: true, values: [{name: low, value: L}, {name: high}]},
    {name: Level, extends: Base, values: [{name: top}, {name: low, value: l}]}]}`);
  expect(loadSchema(document).domain.enums).toEqual([
    {
      name: 'Level',
      values: [
        { name: 'top', value: 'top' },
        { name: 'low', value: 'l' },
        { name: 'high', value: 'high' },
      ],
    },
  ]);
  const wrong = parse('domain: {entities: [], enums: [{name: Level, extends: Bas}]}');
  expect(checkSchema(wrong)).toMatchObject([{ detail: "There is no 'Bas' to extend." }]);
});

test('takes autoincrement and nullable for autoIncrement and required', () => {
  const document = parse(`domain: {entities: [{name: A, primaryKey: [id], properties: [
    {name: id, type: integer, autoincrement: true}, {name: x, nullable: false}, {name: y, nullable: true}]}]}`);
  expect(entityOf(loadSchema(document), 'A')?.properties).toMatchObject([
    { name: 'id', autoIncrement: true, required: false },
    { name: 'x', required: true },
    { name: 'y', required: false },
  ]);
});

test('requires the properties that their entity or its base lists, unless they say otherwise', () => {
  const document = parse(`domain: {entities: [
    {name: Named, abstract: true, required: [name], properties: [{name: name}]},
    {name: A, extends: Named, required: [x, y, id], primaryKey: [id], properties: [
      {name: id, type: integer, autoIncrement: true}, {name: x}, {name: y, required: false}, {name: z}]},
    {name: B, extends: Named, properties: [{name: z}]}]}`);
  const own = loadSchema(document);
  const requiredOf = (entity: string) =>
    entityOf(own, entity)?.properties.flatMap(({ name, required }) => (required ? [name] : []));
  expect(requiredOf('A')).toEqual(['id', 'x', 'name']);
  expect(requiredOf('B')).toEqual(['name']);
  const described = describeEntity(createCatalog(own), 'A');
  expect(described).toMatchObject({ required: ['x', 'y', 'id', 'name'] });
  expect(described?.properties[0]).toMatchObject({ name: 'id', required: false });
  const wrong = parse(
    'domain: {entities: [{name: A, required: [titel], properties: [{name: title}]}]}',
  );
  expect(checkSchema(wrong)).toMatchObject([
    { place: 'domain.entities[0].required[0]', hint: "Did you mean 'title'?" },
  ]);
});

test('ignores what lambdaorm repeats in the mappings of a schema that it exports', () => {
  const document = parse(`
domain:
  entities:
    - {name: A, primaryKey: [id], uniqueKey: [code], properties: [{name: id, type: integer, required: true}, {name: code, required: true}]}
infrastructure:
  mappings:
    - name: default
      entities:
        - name: A
          singular: a
          view: false
          primaryKey: [id]
          uniqueKey: [code]
          required: []
          indexes: [{name: byCode, fields: [code]}]
          relations: [{name: b, from: id, entity: B, to: id}]
          dependents: [{entity: B, relation: {name: a}}]
          constraints: [{message: m, condition: id > 0}]
          composite: false
          intermediate: false
          hadKeys: false
          hadReadMappingExp: false
          hadReadExps: false
          hadWriteExps: false
          hadReadValues: false
          hadWriteValues: false
          hadDefaults: false
          hadViewReadExp: false
          mapping: A
          properties: [{name: id, type: integer, required: true, mapping: id}, {name: code, type: string, required: true, length: 80, mapping: code}]`);
  expect(checkSchema(document)).toEqual([]);
  expect(entityOf(loadSchema(document), 'A')).toMatchObject({ indexes: [], relations: [] });
});

test('refuses a view that only a mapping declares, because it would be written', () => {
  const document = parse(`{domain: {entities: [{name: A, properties: [{name: id}]}]},
    infrastructure: {mappings: [{name: default, entities: [{name: A, view: true}]}]}}`);
  expect(checkSchema(document)).toMatchObject([
    { detail: "A mapping cannot set 'readOnly' of entity 'A'.", hint: 'Write it in the domain.' },
  ]);
});

test('takes the first source for a stage that names none, and the first mapping for such a source', () => {
  const { sources, stages } = loadSchema(
    parse(`{domain: {entities: []}, infrastructure: {
      mappings: [{name: legacy}, {name: default}], stages: [{name: a}, {name: b, view: v}], views: [{name: v}],
      sources: [{name: crm, dialect: PostgreSQL}, {name: default, dialect: MySQL, mapping: default}]}}`),
  );
  expect(sources.map(({ mapping }) => mapping)).toEqual(['legacy', 'default']);
  expect(stages).toEqual([
    { name: 'a', sources: [{ name: 'crm' }] },
    { name: 'b', view: 'v', sources: [{ name: 'crm' }] },
  ]);
});

test("takes the types that lambdaorm's commands write for tables", () => {
  const document = parse(`domain: {entities: [{name: A, properties: [
    {name: notes, type: text, length: 16777215}, {name: photo, type: buffer, length: 4294967295},
    {name: seen, type: timestamp}]}]}`);
  expect(entityOf(loadSchema(document), 'A')?.properties).toEqual([
    { name: 'notes', type: 'string', required: false },
    { name: 'photo', type: 'binary', required: false },
    { name: 'seen', type: 'dateTime', required: false },
  ]);
});

test.each([
  ['model: {entities: []}', "Rename 'model' to 'domain'."],
  [
    'model: {entities: []}, data: {sources: []}',
    "Rename 'model' to 'domain' and 'data' to 'infrastructure', and move 'views' there.",
  ],
  [
    'entities: [], dataSources: [], stages: []',
    "Move 'entities' and 'enums' into 'domain', and 'mappings', 'sources', 'stages' and 'views' into 'infrastructure'.",
  ],
])('says how to rewrite the older form {%s}', (members, hint) => {
  expect(checkSchema(parse(`{${members}}`))).toMatchObject([
    { detail: "The section 'domain' is missing.", hint },
  ]);
});

test('refuses a member beside the section in which it would be read', () => {
  expect(
    checkSchema(parse(`{domain: {entities: []}, sources: [], listeners: [], x: 1}`)),
  ).toMatchObject([
    { place: 'sources', detail: "'sources' must be in the section 'infrastructure'." },
    { place: 'listeners', detail: "'listeners' must be in the section 'application'." },
  ]);
});

test.each([
  ['infraestructure: {sources: []}', 'infraestructure', "Did you mean 'infrastructure'?"],
  ['aplication: {listeners: []}', 'aplication', "Did you mean 'application'?"],
  ['Infrastructure: {}', 'Infrastructure', "Did you mean 'infrastructure'?"],
  ['data: {sources: []}', 'data', "Its name is 'infrastructure' now."],
  ['infrastructure: {source: []}', 'infrastructure.source', "Did you mean 'sources'?"],
  ['infrastructure: {dataSources: []}', 'infrastructure.dataSources', "Its name is 'sources' now."],
  ['infrastructure: {view: []}', 'infrastructure.view', "Did you mean 'views'?"],
  ['infrastructure: {stage: []}', 'infrastructure.stage', "Did you mean 'stages'?"],
  ['application: {listener: []}', 'application.listener', "Did you mean 'listeners'?"],
])('refuses {%s}, which would be ignored', (members, place, hint) => {
  const name = place.split('.').at(-1);
  const detail = `There is no member '${name}' here.`;
  expect(checkSchema(parse(`{domain: {entities: []}, ${members}}`))).toEqual([
    { code: 'schema-invalid', place, detail, hint },
  ]);
});

test('refuses a misspelt member of the domain, and a misspelt domain', () => {
  expect(checkSchema(parse('domain: {entites: []}'))).toMatchObject([
    { place: 'domain.entites', hint: "Did you mean 'entities'?" },
  ]);
  expect(checkSchema(parse('domian: {entities: []}'))).toMatchObject([
    { detail: "The section 'domain' is missing." },
    { place: 'domian', hint: "Did you mean 'domain'?" },
  ]);
});

test('refuses a member in the wrong section', () => {
  expect(
    checkSchema(parse('{domain: {entities: [], views: []}, infrastructure: {listeners: []}}')),
  ).toMatchObject([
    { place: 'domain.views', detail: "'views' must be in the section 'infrastructure'." },
    {
      place: 'infrastructure.listeners',
      detail: "'listeners' must be in the section 'application'.",
    },
  ]);
});

test('ignores other members that are only similar', () => {
  const names = ['resources', 'messages', 'images', 'reviews', 'versions'].map(
    (name) => `${name}: []`,
  );
  const text = `{domain: {entities: [], identities: [], menus: []}, infrastructure: {${names.join()}},
    revision: 3, session: {}, data: {a: 1}}`;
  expect(checkSchema(parse(text))).toEqual([]);
});

test("ignores lambdaorm's own members of the sections, and what the rest of the file refers to", () => {
  const names =
    'paths path service rest server queue start end version app src x-sources .sources kafka queues api host port log title description';
  const members = Object.fromEntries(names.split(' ').map((name) => [name, {}]));
  const domain = { ...members, version: '1.0.0', entities: [] };
  const document = { ...members, domain, infrastructure: members, application: members };
  expect(checkSchema(document)).toEqual([]);
});

test('takes the version of the root if the domain has none', () => {
  const versionOf = (text: string) => loadSchema(parse(text)).version;
  expect(versionOf('{version: 2.0.1, domain: {entities: []}}')).toBe('2.0.1');
  expect(versionOf('{version: 2.0.1, domain: {version: 3.0.0, entities: []}}')).toBe('3.0.0');
  expect(versionOf('{version: "3", domain: {entities: []}}')).toBe('1.0.0');
});

test('says what to do with a name in a key that lambdaorm ignores', () => {
  const document = parse(`domain: {entities: [
    {name: Products, uniqueKey: [name, supplierId], properties: [{name: name}]}]}`);
  expect(checkSchema(document)).toMatchObject([
    {
      place: 'domain.entities[0].uniqueKey[1]',
      detail: "There is no property 'supplierId' in 'Products'.",
      hint: 'Remove it from the list, or add it to the properties.',
    },
  ]);
});

function entityOf({ domain }: Schema, name: string) {
  return domain.entities.find((each) => each.name === name);
}
