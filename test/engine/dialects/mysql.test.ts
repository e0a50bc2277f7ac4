/** What the dialect of MySQL writes other than that of MariaDB, because the servers differ. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { dialects } from '../../../src/engine/dialects/dialects.js';
import {
  compileQuery,
  createCatalog,
  loadSchema,
  planPush,
  storedMapping,
} from '../../../src/engine/index.js';

const { MySQL, MariaDB } = dialects;

test('a decimal in an array has at most the digits of a double on MySQL', () => {
  const long = '["1.10","12345678901234567890.123"]';
  expect(MariaDB.scalar(long, 'decimal[]')).toBe('[1.1,12345678901234567890.123]');
  expect(() => MySQL.scalar(long, 'decimal[]')).toThrow('MySQL stores 12345678901234567890.123');
  const short = '["1.10","-0.5","100000000000000000000","0.1",null]';
  expect(MySQL.scalar(short, 'decimal[]')).toBe('[1.1,-0.5,100000000000000000000,0.1,null]');
});

const document = (dialect: string) => `
domain:
  version: 1.0.0
  entities:
    - name: Notes
      primaryKey: [id]
      indexes: [{ name: byDoc, fields: [doc] }, { name: byText, fields: [text] }]
      properties:
        - { name: id, type: integer, required: true }
        - { name: text, length: 80 }
        - { name: doc, type: json }
infrastructure:
  mappings: [{ name: default }]
  sources: [{ name: default, dialect: ${dialect}, mapping: default, connection: "" }]
  stages: [{ name: default, sources: [{ name: default }] }]
`;

const schemaFor = (dialect: string) => loadSchema(parse(document(dialect)));

function sentence(dialect: string, expression: string): string {
  const limits = { expressionLengthMax: 1000, nestingMax: 64, includeDepthMax: 3 };
  const request = { expression, stage: 'default', view: 'default', limits };
  return compileQuery(createCatalog(schemaFor(dialect)), request).root.text;
}

test('a table computed from a row does not read that row from within JSON_TABLE on MySQL', () => {
  const title = 'Notes.map(p=>({t:title(p.text)}))';
  expect(sentence('MySQL', title)).toMatch(
    /FROM LATERAL \(SELECT .* AS array LIMIT 1\) AS words_of, JSON_TABLE\(words_of\.array, /,
  );
  expect(sentence('MariaDB', title)).not.toContain('LATERAL');
});

test('push creates no index over JSON on MySQL, and says so', () => {
  const schema = schemaFor('MySQL');
  const [source] = schema.sources;
  expect.assert(source);
  const mapping = storedMapping(schema, source);
  const plan = planPush({ mapping, enums: [], dialect: 'MySQL', existing: [] });
  const indexes = plan.steps.filter(({ sql }) => sql.startsWith('CREATE INDEX'));
  expect(indexes.map(({ description }) => description)).toEqual(['create index Notes (text)']);
  expect(plan.remarks).toEqual(['index Notes (doc): the database cannot index JSON']);
});
