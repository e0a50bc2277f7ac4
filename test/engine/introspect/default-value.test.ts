/** Column defaults as the databases report them, and the corresponding defaults in a schema file. */
import { expect, test } from 'vitest';
import { columnDefault } from '../../../src/engine/introspect/default-value.js';
import type { PropertyType, SchemaScalar } from '../../../src/engine/schema/model.js';

test.each<[string, PropertyType, SchemaScalar]>([
  ["'new'::character varying", 'string', 'new'],
  ["'new'::public.mood", 'string', 'new'],
  ["('it''s'::text)::character varying(20)", 'string', "it's"],
  ["''::text", 'string', ''],
  ["'lower(x)'", 'string', '"lower(x)"'],
  ["'lowr(x)'", 'string', '"lowr(x)"'],
  ["'Status.open'", 'string', '"Status.open"'],
  ["'00:00:01'::interval", 'interval', '00:00:01'],
  ['0', 'integer', 0],
  ["'-1'::integer", 'integer', -1],
  ['(0)::numeric', 'decimal', 0],
  ['9.990', 'decimal', 9.99],
  ["'100'", 'integer', 100],
  ['1.5', 'number', 1.5],
  ['true', 'boolean', true],
  ['0', 'boolean', false],
  ["b'1'", 'boolean', true],
  ['now()', 'dateTime', 'now()'],
  ['CURRENT_TIMESTAMP', 'dateTime', 'now()'],
  ['current_timestamp(6)', 'dateTime', 'now()'],
  ['CURRENT_DATE', 'date', 'today()'],
  ["'2020-02-29'::date", 'date', '2020-02-29'],
])('%s of type %s is %j', (sql, type, value) => {
  expect(columnDefault(sql, { type })).toEqual({ kind: 'value', value });
});

test.each<[string, PropertyType]>([
  ['gen_random_uuid()', 'string'],
  ['uuid()', 'string'],
  ["lower('X'::text)", 'string'],
  ["'${HOME}'", 'string'],
  ["E'a\\\\b'::text", 'string'],
  ['1.12345678901234567890', 'decimal'],
  ["nextval('s'::regclass)", 'decimal'],
  ['1.5', 'integer'],
  ["'none'", 'uuid'],
  ["(now() + '1 day'::interval)", 'dateTime'],
  ["timezone('utc'::text, now())", 'dateTime'],
])('%s of type %s is left to the database', (sql, type) => {
  expect(columnDefault(sql, { type })).toEqual({ kind: 'unknown' });
});

test.each([undefined, 'NULL', 'NULL::character varying'])('%s is not a default', (sql) => {
  expect(columnDefault(sql, { type: 'string' })).toEqual({ kind: 'none' });
});

test.each([
  ["'abcd'::character varying", { type: 'string', length: 3 }],
  ['1000', { type: 'decimal', digits: { precision: 3, scale: 1 } }],
] as const)('%s, which its column cannot hold, is left to the database', (sql, mapped) => {
  expect(columnDefault(sql, mapped)).toEqual({ kind: 'unknown' });
});

test('a default that fills its column stays, with quotes if it would be an expression', () => {
  expect(columnDefault("'now()'", { type: 'string', length: 5 })).toEqual({
    kind: 'value',
    value: '"now()"',
  });
});
