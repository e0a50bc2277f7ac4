/** A dialect is one value: every kind of statement can be compiled for a third, invented dialect. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Dialect } from '../../src/engine/dialects/dialect.js';
import { dialects } from '../../src/engine/dialects/dialects.js';
import {
  compileQuery,
  createCatalog,
  type DialectName,
  loadSchema,
  planPush,
  storedMapping,
} from '../../src/engine/index.js';
import { northwindDocument } from './schema/northwind.js';

const registry: Record<string, Dialect> = dialects;
const { PostgreSQL: model } = dialects;

/** Square brackets for names, @p1 for placeholders, and its own function, write and type. */
const invented: Dialect = {
  ...model,
  name: named('PostgreSQL'),
  quoteName: (mapping) => `[${mapping}]`,
  quoteAlias: (name) => `[${name}]`,
  storedName: (mapping) => mapping,
  placeholder: (index) => `@p${index}`,
  cast: (sql, type) => `AS_${type.toUpperCase()}(${sql})`,
  compared: ({ sql }) => sql,
  join: (texts) => `PASTE(${texts.join(', ')})`,
  functions: new Map([
    ...model.functions,
    ['upper', (call) => `SHOUT(${call.value(0)})`],
    ['power', (call) => `RAISE(${call.value(0)}, ${call.value(1)})`],
  ]),
  keepsPlans: false,
  writes: {
    ...model.writes,
    overriding: '',
    returnsUpdated: false,
    deleteFrom: (table, alias) => `REMOVE FROM ${table} ${alias}`,
    onConflict: () => ' OR REPLACE',
  },
  ddl: {
    ...model.ddl,
    quoteName: (mapping) => `[${mapping}]`,
    quoteAlias: (name) => `[${name}]`,
    storedName: (mapping) => mapping,
    columnType: ({ type }) => `MY_${type.toUpperCase()}`,
  },
};

beforeAll(() => {
  registry['Invented'] = invented;
  registry['Invented'] = { ...invented, name: named('Invented') };
});

afterAll(() => {
  delete registry['Invented'];
});

describe('a made-up dialect', () => {
  test.each([
    {
      query: 'Products.filter(p=>p.price>min).map(p=>({up: upper(p.name), all: p.name+"!"}))',
      sql: 'SELECT SHOUT(p.[ProductName]) AS [up], PASTE(p.[ProductName], AS_STRING(@p1)) AS [all] FROM [Products] p WHERE p.[UnitPrice] > @p2',
    },
    {
      query: 'Products.map(p=>({square: p.price**2}))',
      sql: 'SELECT RAISE(p.[UnitPrice], 2) AS [square] FROM [Products] p',
    },
    {
      query: 'Categories.upsert()',
      sql: 'INSERT INTO [Categories] ([CategoryID], [CategoryName], [Description]) VALUES (@p1, @p2, @p3) OR REPLACE RETURNING [CategoryID] AS [id], [CategoryName] AS [name], [Description] AS [description]',
    },
    {
      query: 'Categories.delete().filter(p=>p.name==name)',
      sql: 'REMOVE FROM [Categories] c WHERE c.[CategoryName] = @p1',
    },
  ])('compiles $query', ({ query, sql }) => {
    expect(compile(query).root.text).toBe(sql);
  });

  test('compiles the statement of an include', () => {
    const { root } = compile('Orders.include(p=>p.details)');
    expect(root.includes[0]?.statement.text).toContain('FROM [Order Details]');
  });

  test('reads the rows before an update, as a database without RETURNING must', () => {
    const { root } = compile('Categories.update({name: name}).filter(p=>p.id==id)');
    expect(root.text).toBe(
      'UPDATE [Categories] c SET [CategoryName] = @p1 WHERE c.[CategoryID] = @p2',
    );
  });

  test('creates tables', () => {
    const { schema } = catalog();
    const [source] = schema.sources;
    if (!source) throw new Error('a schema with a source');
    const plan = planPush({
      mapping: storedMapping(schema, source),
      enums: [],
      dialect: source.dialect,
      existing: [],
    });
    const texts = plan.steps.map(({ sql }) => sql);
    expect(texts.find((text) => text.includes('[Categories]'))).toContain(
      '[CategoryName] MY_STRING',
    );
  });
});

function compile(expression: string) {
  const limits = { expressionLengthMax: 1000, nestingMax: 64, includeDepthMax: 3 };
  return compileQuery(catalog(), { expression, stage: 'default', view: 'default', limits });
}

function catalog() {
  const schema = loadSchema(northwindDocument());
  const sources = schema.sources.map((source) => ({ ...source, dialect: named('Invented') }));
  return createCatalog({ ...schema, sources });
}

function named(name: string): DialectName {
  if (isRegistered(name)) return name;
  throw new Error(`no dialect ${name}`);
}

function isRegistered(name: string): name is DialectName {
  return Object.hasOwn(dialects, name);
}
