/** SQL that differs between MySQL and MariaDB, because the servers do. */
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
        - { name: tags, type: 'string[]' }
        - { name: price, type: decimal }
        - { name: at, type: time }
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

test('a grouping key or aggregate that needs a table computed from its row is computed in FROM on MySQL', () => {
  const groups = `Notes.map(p=>({k: replace(p.text,"a","b"), n: max(indexOf(p.text,"b"))}))`;
  expect(sentence('MySQL', groups)).toMatch(
    /^SELECT joined\.__v1 AS `k`, MAX\(joined\.__v2\) AS `n` FROM Notes n JOIN LATERAL \(SELECT .* AS __v1, .* AS __v2 LIMIT 1\) AS joined GROUP BY 1$/,
  );
  expect(sentence('MariaDB', groups)).not.toContain('LATERAL');
  const tagged = 'Notes.map(p=>({k: contains(p.tags,"a"), n: count(1)}))';
  expect(sentence('MySQL', tagged)).toMatch(/^SELECT joined\.__v1 AS `k`, COUNT\(1\)/);
});

test('a value computed from a grouping key is computed outside of the grouped query on MySQL', () => {
  const query =
    'Notes.map(p=>({k: p.text, n: concat(replace(p.text,"a","b"), toString(count(1)))}))';
  expect(sentence('MySQL', query)).toMatch(/ FROM \(SELECT .* GROUP BY 1\) g$/);
});

test('a value that is looked up in an array is not a constant expression on MySQL', () => {
  const query = 'Notes.filter(p=>contains(p.tags, "a"))';
  expect(sentence('MySQL', query)).toContain('CASE WHEN n.tags IS NOT NULL THEN ? END IN (SELECT');
  expect(sentence('MariaDB', query)).toContain('COALESCE(?) IN (SELECT');
});

test('an integer is compared with a computed number without the index on MySQL', () => {
  const where = (condition: string) =>
    sentence('MySQL', `Notes.filter(p=>${condition})`).replace(/.* WHERE /, '');
  expect(where('p.id==0.5')).toBe('n.id = 0.5');
  expect(where('p.id==x/2')).toMatch(/^n\.id \+ 0 = /);
  expect(where('p.id==x')).toBe('n.id = ?');
  expect(where('p.price==sqrt(p.id)')).toBe('n.price + 0 = SQRT(n.id)');
});

test('a time is compared with a list at full precision on MySQL', () => {
  for (const list of ['["12:00:00","13:00:00"]', 'times']) {
    expect(sentence('MySQL', `Notes.filter(p=>in(p.at, ${list}))`)).toContain(
      'CAST(n.at AS TIME(6)) IN (?',
    );
    expect(sentence('MariaDB', `Notes.filter(p=>in(p.at, ${list}))`)).toContain(' n.at IN (?');
  }
});

test('an aggregate of a string parameter wraps it in CONCAT on MySQL', () => {
  expect(sentence('MySQL', 'Notes.map(p=>({n: min("a"), k: p.id}))')).toContain('MIN(CONCAT(?))');
  expect(sentence('MySQL', 'Notes.map(p=>({n: count(distinct("a")), k: p.id}))')).toContain(
    'COUNT(DISTINCT CONCAT(?))',
  );
});

test('a null beside texts is null, not an empty text, on MySQL', () => {
  expect(sentence('MySQL', 'Notes.map(p=>({a: p.id>1 ? "x" : null}))')).toContain(
    'ELSE CONVERT(NULL USING utf8mb4) END',
  );
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
