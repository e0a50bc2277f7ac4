/** Members for a schema of existing tables: read-only, with a description, and without a length. */
import { expect, test } from 'vitest';
import { compileQuery } from '../../../src/engine/compile.js';
import { planPush } from '../../../src/engine/ddl/plan-push.js';
import { createCatalog } from '../../../src/engine/schema/catalog.js';
import { loadSchema } from '../../../src/engine/load/load.js';
import type { DialectName } from '../../../src/engine/schema/model.js';

function schemaOf(dialect: DialectName = 'PostgreSQL') {
  return loadSchema({
    domain: {
      entities: [
        {
          name: 'Invoice',
          description: 'What is to be paid',
          primaryKey: ['id'],
          properties: [
            { name: 'id', databaseDefault: true, length: 36 },
            { name: 'text', length: 'max', description: 'for the client' },
            { name: 'total', type: 'decimal', readOnly: true },
          ],
        },
        { name: 'Sum', readOnly: true, properties: [{ name: 'year', type: 'integer' }] },
        { name: 'Dotted', properties: [{ name: 'a' }] },
      ],
    },
    infrastructure: {
      mappings: [
        {
          name: 'default',
          entities: [
            { name: 'Invoice', mapping: 'billing.Invoice' },
            { name: 'Sum', mapping: '"Billing Sums"."sum.of"' },
            { name: 'Dotted', mapping: '"a.b"', properties: [{ name: 'a', mapping: 'x.y' }] },
          ],
        },
      ],
      sources: [{ name: 'default', dialect, mapping: 'default' }],
    },
  });
}

const limits = { expressionLengthMax: 1000, nestingMax: 10, includeDepthMax: 2 };

function sentenceOf(dialect: DialectName, expression: string): string {
  const catalog = createCatalog(schemaOf(dialect));
  const { root } = compileQuery(catalog, { expression, stage: 'default', view: 'default', limits });
  return root.text;
}

test.each<[DialectName, string, string]>([
  ['PostgreSQL', 'Invoice.map(p=>p.id)', 'FROM billing.Invoice i'],
  ['PostgreSQL', 'Sum', 'FROM "Billing Sums"."sum.of" s'],
  ['PostgreSQL', 'Dotted', 'd."x.y" AS "a" FROM "a.b" d'],
  ['PostgreSQL', 'Invoice.delete().filter(p=>p.text=="x")', 'DELETE FROM billing.Invoice i'],
  ['MariaDB', 'Invoice.map(p=>p.id)', 'FROM billing.Invoice i'],
  ['MariaDB', 'Sum', 'FROM `Billing Sums`.`sum.of` s'],
  ['MariaDB', 'Dotted', 'd.`x.y` AS `a` FROM `a.b` d'],
  ['MariaDB', 'Invoice.insert()', 'INSERT INTO billing.Invoice (id, text)'],
])('on %s, the statement of %s has %s', (dialect, expression, part) => {
  expect(sentenceOf(dialect, expression)).toContain(part);
});

test.each([
  ['Sum.insert()', "Entity 'Sum' is read-only."],
  ['Sum.updateAll({year: y})', "Entity 'Sum' is read-only."],
  ['Sum.deleteAll()', "Entity 'Sum' is read-only."],
  ['Invoice.insert({id: id, total: total})', "Property 'total' is read-only."],
])('%s is refused', (expression, message) => {
  expect(() => sentenceOf('PostgreSQL', expression)).toThrow(message);
});

test('a push skips read-only entities, and limits a column only if its property has a length', () => {
  const [mapping] = schemaOf().mappings;
  if (!mapping) throw new Error('The schema has a mapping.');
  const { steps } = planPush({ mapping, enums: [], dialect: 'PostgreSQL', existing: [] });
  expect(steps[0]?.description).toBe('create schema billing');
  expect(steps.slice(1).map(({ sql }) => sql.replace(/\s+/g, ' '))).toEqual([
    'CREATE TABLE billing.Invoice ( id varchar(36), text text, total numeric, CONSTRAINT invoice_pkey PRIMARY KEY (id) )',
    'CREATE TABLE "a.b" ( "x.y" varchar(80) )',
  ]);
});

test('a generated key is not required, and a length is checked only if there is one', () => {
  const catalog = createCatalog(schemaOf());
  const request = { expression: 'Invoice.insert()', stage: 'default', view: 'default', limits };
  const { write } = compileQuery(catalog, request).root;
  expect(write?.constraints.map(({ condition }) => condition)).toEqual(['length(id)<=36']);
});

test('descriptions are part of the schema', () => {
  const [invoice] = schemaOf().domain.entities;
  expect(invoice?.description).toBe('What is to be paid');
  expect(invoice?.properties.map(({ description }) => description)).toEqual([
    undefined,
    'for the client',
    undefined,
  ]);
});
