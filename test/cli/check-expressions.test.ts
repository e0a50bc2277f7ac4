/** Expressions of the schema are checked when it is loaded, and errors name their place. */
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkSchema, loadSchema } from '../../src/engine/index.js';

const infrastructure = `
infrastructure:
  mappings: [{ name: default }]
  sources: [{ name: default, dialect: PostgreSQL, mapping: default, connection: {} }]
  stages: [{ name: default, sources: [{ name: default }] }]
`;

function fileOf(property: string, more = ''): unknown {
  return parse(`
domain:
  version: 1.0.0
  entities:
    - name: Items
      primaryKey: [id]
      properties:
        - { name: id, type: integer, autoIncrement: true }
        - { name: price, type: decimal }
        - ${property}
${infrastructure}${more}`);
}

const listener = (members: string) =>
  fileOf('{ name: name }', `application:\n  listeners: [{ name: l, on: [insert], ${members} }]\n`);

const problemsOf = (document: unknown) =>
  checkSchema(document).map(({ place, detail }) => `${place}: ${detail}`);

describe('a property', () => {
  test.each([
    ['{ name: name, readValue: "lower(nme)" }', "It reads 'nme', which is not a property"],
    ['{ name: name, readValue: "lower(" }', 'The readValue of property'],
    ['{ name: name, readValue: "now()" }', "Function 'now' is not allowed here"],
    ['{ name: name, readValue: "lower(name, 1)" }', 'takes 1 argument'],
    ['{ name: name, writeValue: "lowr(name)" }', 'The writeValue of property'],
    ['{ name: name, readExp: "lower(nme)" }', "has no property or relation 'nme'"],
    ['{ name: name, readExp: "price + 1" }', 'It returns a decimal, but the property is a string'],
    [
      '{ name: name, writeExp: "concat(name, price)" }',
      "It reads 'price', but a writeExp can read only 'name'",
    ],
    ['{ name: name, writeExp: "length(name)" }', 'It returns an integer'],
    ['{ name: name, writeValue: "encrypt(name)" }', "The writeValue of property 'name'"],
  ])('%s is reported', (property, detail) => {
    const [problem = '', ...others] = problemsOf(fileOf(property));
    expect(problem).toMatch(/^domain\.entities\[0\]/);
    expect(problem).toContain(detail);
    expect(others).toEqual([]);
  });

  test('that is a key cannot be changed by an expression', () => {
    const document = parse(`
domain:
  version: 1.0.0
  entities:
    - name: Items
      primaryKey: [id]
      properties: [{ name: id, readExp: lower(id) }]
${infrastructure}`);
    expect(problemsOf(document)).toEqual([
      "domain.entities[0]: 'id' is a key or a foreign key, which cannot have a readExp, readValue or writeExp.",
    ]);
  });

  test('with an encryption key is reported without the key', () => {
    const problems = problemsOf(fileOf(`{ name: name, writeValue: 'encrypt(name, "hush" "x")' }`));
    expect(problems.length).toBe(1);
    expect(problems.join()).not.toContain('hush');
  });

  test('sets the flag of each of its expressions', () => {
    const flags = (property: string) => {
      const [entity] = loadSchema(fileOf(property)).domain.entities;
      const { hadReadExps, hadWriteExps, hadReadValues, hadWriteValues, hadDefaults } =
        entity ?? expect.unreachable();
      return [hadReadExps, hadWriteExps, hadReadValues, hadWriteValues, hadDefaults];
    };
    expect(flags('{ name: name }')).toEqual([false, false, false, false, false]);
    expect(flags('{ name: n, readExp: lower(n) }')).toEqual([true, false, false, false, false]);
    expect(flags('{ name: n, writeExp: lower(n) }')).toEqual([false, true, false, false, false]);
    expect(flags('{ name: n, readValue: lower(n) }')).toEqual([false, false, true, false, false]);
    expect(flags('{ name: n, writeValue: lower(n) }')).toEqual([false, false, false, true, false]);
    expect(flags('{ name: n, default: x }')).toEqual([false, false, false, false, true]);
  });
});

describe('a listener', () => {
  test.each([
    ['before: "Items.insrt({name: entity})"', 'before', "There is no clause 'insrt'"],
    ['before: "Items.insert({nme: entity})"', 'before', "has no property or relation 'nme'"],
    ['before: "Items.insert({name: who})"', 'before', "A listener has no name 'who'"],
    ['after: "Items.filter(p=>p.id==1)"', 'after', 'The query of a listener must write'],
    ['error: "orm.execute(query, other)"', 'error', "A listener has no name 'other'"],
    ['error: "orm.plan(query)"', 'error', "Function 'plan' is not available here"],
    ['condition: "entty == 1"', 'condition', "A listener has no name 'entty'"],
    ['condition: "entity =="', 'condition', 'expected'],
    [
      'before: "encrypt(data.x, 5 5) != 1"',
      'before',
      'The expression is invalid. The reason is hidden',
    ],
  ])('with %s is reported', (members, member, detail) => {
    const [problem = '', ...others] = problemsOf(listener(members));
    expect(problem).toContain(`application.listeners[0].${member}: `);
    expect(problem.toLowerCase()).toContain(detail.toLowerCase());
    expect(others).toEqual([]);
  });

  test('that is valid loads', () => {
    const members =
      'condition: "options.stage.in(\\"default\\", \\"b\\") && action == \\"insert\\"", before: "data.price > 0", after: "Items.insert({name: data.name})"';
    expect(problemsOf(listener(members))).toEqual([]);
  });
});
