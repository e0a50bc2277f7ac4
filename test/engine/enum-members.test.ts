/** Members of enums in queries and in expressions of the schema are the values of the enum. */
import { expect, test } from 'vitest';
import {
  checkSchema,
  compileQuery,
  createCatalog,
  loadSchema,
  rowsWriteOf,
} from '../../src/engine/index.js';
import { compileListeners } from '../../src/engine/listeners/compile-listeners.js';

const documentOf = (role: object = {}, more: object = {}) => ({
  domain: {
    version: '1.0.0',
    enums: [
      { name: 'Role', values: [{ name: 'admin' }, { name: 'guest', value: 'g' }] },
      {
        name: 'Level',
        values: [
          { name: 'low', value: -1 },
          { name: 'high', value: 2 },
        ],
      },
    ],
    entities: [
      {
        name: 'Users',
        primaryKey: ['id'],
        properties: [
          { name: 'id', type: 'integer', autoIncrement: true },
          { name: 'role', enum: 'Role', ...role },
          { name: 'level', type: 'integer', enum: 'Level' },
        ],
        ...more,
      },
    ],
  },
});

const planOf = (expression: string, role?: object, more?: object) =>
  compileQuery(createCatalog(loadSchema(documentOf(role, more))), { expression });

test.each([
  ['Users.filter(p=>p.role==Role.admin)', 'Users.filter(p=>p.role=="admin")'],
  [
    'Users.filter(p=>in(p.role,[Role.admin,Role.guest]))',
    'Users.filter(p=>in(p.role,["admin","g"]))',
  ],
  ['Users.filter(p=>p.level==Level.low)', 'Users.filter(p=>p.level==-1)'],
  ['Users.insert({role:Role.guest,level:level})', 'Users.insert({role:"g",level:level})'],
  ['Users.map(Role=>Role.id)', 'Users.map(p=>p.id)'],
])('%s is %s', (given, meant) => {
  const { root, parameters } = planOf(given);
  const other = planOf(meant);
  expect(parameters).toEqual(other.parameters);
  expect(root).toEqual(other.root);
});

test('an unknown member is an error with the members', () => {
  expect(() => planOf('Users.filter(p=>p.role==Role.admim)')).toThrow(
    expect.objectContaining({
      code: 'unknown-property',
      message: "Enum 'Role' has no member 'admim', only admin, guest.",
      hint: "Did you mean 'admin'?",
    }),
  );
  expect(checkSchema(documentOf({ default: 'Role.nobody' }))).toEqual([
    expect.objectContaining({ detail: "Enum 'Role' has no member 'nobody', only admin, guest." }),
  ]);
});

test('the error for a member that is no name says to write its value', () => {
  const values = [{ name: 'low' }, { name: 'in-progress' }, { name: 'on hold', value: 'held' }];
  for (const [member, hint] of [
    ['in-progress', 'Write the value of \'in-progress\': "in-progress".'],
    ['on', 'Write the value of \'on hold\': "held".'],
    ['lo', "Did you mean 'low'?"],
  ]) {
    const document = {
      domain: {
        enums: [{ name: 'Status', values }],
        entities: [{ name: 'Users', properties: [{ name: 'status', enum: 'Status' }] }],
      },
    };
    const catalog = createCatalog(loadSchema(document));
    const expression = `Users.filter(p=>p.status==Status.${member})`;
    expect(() => compileQuery(catalog, { expression })).toThrow(expect.objectContaining({ hint }));
  }
});

test('defaults and constraints of the schema have values of enums', () => {
  const constraints = [{ message: 'no', condition: 'role!=Role.admin || level==Level.high' }];
  const choice = 'isNull(level) ? Role.guest : concat("ad","min")';
  for (const role of ['Role.guest', choice]) {
    const { conditions, fields } = rowsWriteOf(
      planOf('Users.insert()', { default: role }, { constraints }).root,
    );
    expect(conditions[0]?.reads).toEqual(['role', 'level']);
    const fallback = fields.find(({ property }) => property === 'role')?.default;
    expect(JSON.stringify(fallback)).toContain('"g"');
    expect(JSON.stringify(fallback)).not.toContain('Role');
  }
});

test('a default that calls if says how to write a choice', () => {
  expect(checkSchema(documentOf({ default: 'if(level,"a","b")' }))).toEqual([
    expect.objectContaining({ detail: expect.stringContaining('Write a choice as in') }),
  ]);
});

test('computed properties have values of enums', () => {
  const readExp = 'p=>p.role==Role.guest ? Level.low : Level.high';
  const properties = documentOf().domain.entities.flatMap((entity) => entity.properties);
  const more = {
    properties: [...properties, { name: 'rank', type: 'integer', view: true, readExp }],
  };
  expect(JSON.stringify(planOf('Users', {}, more).root)).toContain(
    'CASE WHEN u.role = $1 THEN -1 ELSE 2 END',
  );
});

test('values that Rowgate computes have values of enums', () => {
  const more = { readValue: 'role==Role.guest ? "?" : role', writeValue: 'role ?? Role.guest' };
  const { fields } = rowsWriteOf(planOf('Users.insert()', more).root);
  const write = fields.find(({ property }) => property === 'role')?.writeValue;
  expect(write).toMatchObject({ reads: ['role'] });
  expect(JSON.stringify(write)).toContain('"g"');
  const { columns } = planOf('Users.map(p=>p.role)', more).root;
  expect(JSON.stringify(columns)).toContain('"g"');
  expect(checkSchema(documentOf({ writeValue: 'role ?? Role.gues' }))).toEqual([
    expect.objectContaining({
      detail: expect.stringContaining("Enum 'Role' has no member 'gues'"),
    }),
  ]);
});

test('listeners and conditions of stages have values of enums', () => {
  const listenersOf = (condition: string, before: string) => ({
    ...documentOf(),
    application: { listeners: [{ name: 'l', on: ['insert'], condition, before }] },
  });
  const catalog = createCatalog(
    loadSchema(listenersOf('data.role==Role.guest', 'data.level != Level.low')),
  );
  const [listener] = compileListeners(catalog);
  expect(JSON.stringify(listener?.condition)).toContain('"g"');
  expect(listener?.steps.before).toMatchObject({ kind: 'expression', reads: ['data'] });
  expect(checkSchema(listenersOf('data.role==Role.gues', 'true'))).toEqual([
    expect.objectContaining({
      detail: expect.stringContaining("Enum 'Role' has no member 'gues'"),
    }),
  ]);
  const infrastructure = (condition: string) => ({
    ...documentOf(),
    infrastructure: {
      sources: [{ name: 'default', dialect: 'PostgreSQL' }],
      stages: [{ name: 'default', sources: [{ name: 'default', condition }] }],
    },
  });
  expect(checkSchema(infrastructure('entity!=Role.admin'))).toEqual([]);
  expect(checkSchema(infrastructure('entity!=Role.admim'))).toHaveLength(1);
});
