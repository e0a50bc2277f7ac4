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

  test.each([
    ['{ name: name, readExp: "lowr(name)" }', "Did you mean 'lower'?"],
    ['{ name: time, type: dateTime, readExp: "millisecondToDate(price/1000)" }', /^toInteger\(/],
    [
      '{ name: name, default: \'concat("a-", switch(price){case 1: 2;})\' }',
      /^There are no statements/,
    ],
    ['{ name: size, type: integer, default: "lenght(name)" }', "Did you mean 'length'?"],
  ])('%s has the hint of its expression', (property, hint) => {
    expect(checkSchema(fileOf(property))).toEqual([
      expect.objectContaining({ hint: expect.stringMatching(hint) }),
    ]);
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

  test('that is a primary key cannot have a writeValue', () => {
    const document = parse(`
domain:
  version: 1.0.0
  entities:
    - name: Items
      primaryKey: [id]
      properties: [{ name: id, writeValue: upper(id) }]
${infrastructure}`);
    expect(problemsOf(document)).toEqual([
      "domain.entities[0]: 'id' is part of the primary key, which cannot have a writeValue.",
    ]);
  });

  const linked = (customer: string, status: string, more = '') =>
    parse(`
domain:
  version: 1.0.0
  entities:
    - name: Orders
      primaryKey: [id]
      properties: [{ name: id, type: integer }, { name: customerCode }, { name: status, type: integer }]
      relations:
        - { name: customer, from: customerCode, entity: Customers, to: code }
        - { name: state, from: status, entity: Statuses, to: id }
    - name: Customers
      primaryKey: [id]
      properties: [{ name: id, type: integer }, ${customer}]
    - name: Statuses
      primaryKey: [id]
      properties: [{ name: id, type: integer }, ${status}]
infrastructure:
  sources: [{ name: default, dialect: PostgreSQL, mapping: default, connection: {} }]
  mappings: [{ name: default, ${more} }]
`);

  test('that a relation leads to cannot be changed by an expression', () => {
    expect(problemsOf(linked('{ name: code, readExp: lower(code) }', '{ name: name }'))).toEqual([
      "domain.entities[1]: 'code' is a key or a foreign key, which cannot have a readExp, readValue or writeExp.",
    ]);
  });

  test('named like the foreign key of a dependent can be changed by an expression', () => {
    const document = linked('{ name: code }', '{ name: status, readExp: lower(status) }');
    expect(problemsOf(document)).toEqual([]);
  });

  test.each([
    ['Orders', 'id', 'abs(id)'],
    ['Orders', 'customerCode', 'trim(customerCode)'],
    ['Customers', 'code', 'trim(code)'],
  ])('of %s that is the key %s cannot have a readMappingExp', (entity, name, expression) => {
    const column = `{ name: ${name}, readMappingExp: ${expression} }`;
    const entities = `entities: [{ name: ${entity}, properties: [${column}] }]`;
    expect(problemsOf(linked('{ name: code }', '{ name: name }', entities))).toEqual([
      `infrastructure.mappings[0].entities[0]: '${name}' is a key or a foreign key, which cannot have a readMappingExp.`,
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

describe('a default', () => {
  const enums = { Hue: ['red', 'L'], Level: [1, 2] };

  function defaulted(members: Readonly<Record<string, unknown>>): unknown {
    const id = { name: 'id', type: 'integer' };
    const other = { name: 'other', type: 'integer' };
    const entity = {
      name: 'Items',
      primaryKey: ['id'],
      properties: [id, other, { name: 'v', ...members }],
    };
    const values = Object.entries(enums).map(([name, all]) => ({
      name,
      values: all.map((value) => ({ name: `v${value}`, value })),
    }));
    return { domain: { enums: values, entities: [entity] } };
  }

  test.each([
    [
      { type: 'integer', default: 'abc' },
      "It is not a value of type integer, and reads 'abc', which is not",
    ],
    [{ type: 'integer', default: 1.5 }, 'It is not a value of type integer.'],
    [{ type: 'integer', default: '7/2' }, 'It is not a value of type integer.'],
    [{ type: 'integer', default: '""' }, 'It is not a value of type integer.'],
    [
      { type: 'integer', default: '' },
      'It is not a value of type integer. As an expression, it fails:',
    ],
    [{ type: 'number', default: 'x1' }, "It is not a value of type number, and reads 'x1'"],
    [{ type: 'boolean', default: '1' }, 'It is not a value of type boolean.'],
    [{ type: 'boolean', default: 'TRUE' }, "It is not a value of type boolean, and reads 'TRUE'"],
    [{ type: 'date', default: 'notadate' }, "It is not a value of type date, and reads 'notadate'"],
    [{ type: 'date', default: "'nope'" }, 'It is not a value of type date.'],
    [
      { type: 'date', default: '2020-13-01' },
      'It is not a value of type date. As an expression, it',
    ],
    [{ type: 'uuid', default: 'nope' }, "It is not a value of type uuid, and reads 'nope'"],
    [{ type: 'integer[]', default: '["a"]' }, 'It is not a value of type integer[].'],
    [{ type: 'integer', default: '2 ** 99999' }, 'A power is too large.'],
    [{ length: 3, default: 'abcd' }, 'It has 4 characters, but its length is 3.'],
    [{ length: 3, default: '"ab" + "cd"' }, 'It has 4 characters, but its length is 3.'],
    [{ length: 3, default: 1234 }, 'It has 4 characters, but its length is 3.'],
    [{ default: 'lower(nme)', writeValue: 'lower(v)' }, "It reads 'nme', which is not a property."],
    [
      { default: 'lowr(id)' },
      "As a call, it fails: Function 'lowr' is not available here: Rowgate evaluates this expression without the database. If the text itself is meant, quote it.",
    ],
    [{ enum: 'Hue', default: 'blue' }, "It is not a value of the enum Hue: 'red', 'L'."],
    [
      { type: 'integer', enum: 'Level', default: 3 },
      "It is not a value of the enum Level: '1', '2'.",
    ],
    [
      { type: 'decimal', precision: 3, scale: 1, default: 100 },
      'It has too many digits for precision 3 and scale 1.',
    ],
  ])('%j is reported', (members, reason) => {
    const [problem = '', ...others] = problemsOf(defaulted(members));
    const start = "The default of property 'v' of entity 'Items' is invalid: ";
    expect(problem).toContain(`domain.entities[0].properties[2].default: ${start}${reason}`);
    expect(others).toEqual([]);
  });

  test.each([
    { default: '"lowr(id)"' },
    { default: 'n(o) x' },
    { type: 'integer', default: '5' },
    { type: 'integer', default: '"5"' },
    { type: 'integer', default: '2+3' },
    { type: 'integer', default: 'other' },
    { type: 'integer', default: 'null' },
    { type: 'integer', default: 'abc', autoIncrement: true },
    { type: 'boolean', default: '"true"' },
    { type: 'boolean', default: 'true' },
    { type: 'date', default: 'today()' },
    { type: 'date', default: '2020-01-01' },
    { type: 'dateTime', default: 'now()' },
    { type: 'json', default: 'any text' },
    { type: 'integer[]', default: '[1, 2]' },
    { type: 'decimal', precision: 3, scale: 1, default: '99.94' },
    { length: 3, default: '\u{1f600}\u{1f600}\u{1f600}' },
    { length: 3, default: 'abc', writeValue: 'upper(v)' },
    { default: 'x'.repeat(90) },
    { enum: 'Hue', default: 'L' },
    { type: 'integer', enum: 'Level', default: '2' },
  ])('%j is valid', (members) => {
    expect(problemsOf(defaulted(members))).toEqual([]);
  });

  test('of a base is reported at the entity that inherits it', () => {
    const { domain } = parse(`
domain:
  entities:
    - { name: Base, abstract: true, properties: [{ name: at, type: date, default: soon }] }
    - { name: Items, extends: Base, primaryKey: [id], properties: [{ name: id, type: integer }] }
    - { name: Shown, extends: Base, readOnly: true, properties: [{ name: id, type: integer }] }`);
    const [problem, ...others] = problemsOf({ domain });
    expect(problem).toContain("domain.entities[1]: The default of property 'at' of entity 'Items'");
    expect(others).toEqual([]);
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
    ['condition: "query.entty == 1"', 'condition', "A listener has no name 'entty'"],
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
