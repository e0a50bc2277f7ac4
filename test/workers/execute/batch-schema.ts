/**
 * The tables of the batch tests, and the schema that maps them: keys of many types, and unusual
 * strings.
 */
import type { Connection, DialectName } from '../../../src/engine/index.js';

/** Strings that an array literal, a JSON writer or a careless key could misinterpret. */
export const oddTexts: readonly string[] = [
  `O'Hara`,
  'back\\slash',
  '{"brace","q"}',
  '{}',
  '',
  'NULL',
  'null',
  '😀 emoji',
  'a%b_c',
  'two\nlines\ttab',
  ' blanks ',
  '007',
  '7',
  '+5',
  '$1',
  'ünï',
  'ÜNÏ',
  '\\N',
  '",',
  '\u{1f468}\u200d\u{1f469}',
];

const quoted = oddTexts.map((text) => `'${text.replaceAll("'", "''")}'`).join(', ');

/** 300 items, each with an unusual string, a maker and up to six parts. */
export const tables = `
  CREATE TABLE makers (id int PRIMARY KEY, name text NOT NULL, country text);
  INSERT INTO makers SELECT i, 'Maker ' || i, (ARRAY['PE', 'CL', NULL])[1 + i % 3]
    FROM generate_series(1, 12) i;
  CREATE TABLE items (id int PRIMARY KEY, code text, title varchar(80), amount numeric(12, 3),
    big int8, small int2, ratio float8, ok bool, day date, at timestamptz, clock time, note text,
    maker_id int);
  INSERT INTO items SELECT i, odd.texts[1 + i % ${oddTexts.length}],
    'Title ' || i % 40, (i % 50) * 1.250, 9007199254740990 + i, i % 30, i % 20 / 8.0, i % 3 = 0,
    date '2024-02-25' + i % 10, timestamptz '2024-02-25T10:00:00Z' + i * interval '7 hours',
    time '00:00' + i * interval '11 minutes', CASE WHEN i % 4 > 0 THEN 'note ' || i % 5 END,
    nullif(i % 13, 0)
    FROM generate_series(1, 300) i, (SELECT ARRAY[${quoted}] AS texts) odd;
  CREATE INDEX ON items (code);
  CREATE TABLE parts (id int PRIMARY KEY, item_id int, name text, quantity int);
  INSERT INTO parts SELECT i, 1 + (i * 7919) % 300, 'part "' || i % 9 || '"', i % 17
    FROM generate_series(1, 900) i;
  CREATE INDEX ON parts (item_id);
  CREATE VIEW dear AS SELECT id, code, amount FROM items WHERE amount > 20;
`;

/** Columns whose types differ from those of their properties. */
export const looseTables = `
  CREATE TABLE loose (id numeric(20, 2), bits char(6), ref uuid, day date, number int, text text,
    short smallint, long bigint, real float4, kind varchar(8));
  INSERT INTO loose SELECT i, 'b' || i % 5, md5((i % 7)::text)::uuid, date '2024-01-01' + i % 9,
    i % 11, CASE WHEN i % 10 > 0 THEN (ARRAY['007', '7', '+7', ' 7', '-0', '0'])[1 + i % 6] END,
    i % 6 - 2, 9223372036854775807 - i % 4, i % 6 / 4.0, 'k' || i % 3
    FROM generate_series(1, 200) i;
  CREATE VIEW seen AS SELECT number, text, long FROM loose WHERE short > 0;
  CREATE TABLE measured (id int, region text, level int, PRIMARY KEY (id, region))
    PARTITION BY LIST (region);
  CREATE TABLE measured_north PARTITION OF measured FOR VALUES IN ('north', 'Ñorth');
  CREATE TABLE measured_rest PARTITION OF measured DEFAULT;
  INSERT INTO measured SELECT i, (ARRAY['north', 'south', 'Ñorth', ''])[1 + i % 4], i % 25
    FROM generate_series(1, 400) i;
  CREATE TABLE wide (id int PRIMARY KEY, key int, name text, filler text);
  INSERT INTO wide SELECT i, (i * 7919) % 500, 'w' || (i * 31) % 500, repeat('x', 200)
    FROM generate_series(1, 30000) i;
  CREATE INDEX ON wide (key);
  CREATE INDEX ON wide (name);
  ANALYZE wide;
`;

/** A schema document for the tables above and those of single tests. */
export function batchSchema(connection: Connection, dialect: DialectName): unknown {
  return {
    domain: { version: '1.0.0', entities: entities.map(withoutMapping) },
    infrastructure: {
      mappings: [{ name: 'mapping', entities: entities.map(mappingOf) }],
      sources: [{ name: 'source', dialect, mapping: 'mapping', connection }],
      stages: [{ name: 'default', sources: [{ name: 'source' }] }],
    },
  };
}

type Columns = Readonly<Record<string, string>>;

interface Entity {
  readonly name: string;
  readonly table: string;
  readonly properties: Columns;
  /** The columns of properties with another name. */
  readonly columns?: Columns;
  readonly relations?: readonly object[];
}

const entities: readonly Entity[] = [
  {
    name: 'Makers',
    table: 'makers',
    properties: { id: 'integer', name: 'string', country: 'string' },
  },
  {
    name: 'Items',
    table: 'items',
    properties: {
      id: 'integer',
      code: 'string',
      title: 'string',
      amount: 'decimal',
      big: 'integer',
      small: 'integer',
      ratio: 'number',
      ok: 'boolean',
      day: 'date',
      at: 'dateTime',
      clock: 'time',
      note: 'string',
      makerId: 'integer',
    },
    columns: { makerId: 'maker_id' },
    relations: [
      {
        name: 'maker',
        type: 'oneToMany',
        from: 'makerId',
        entity: 'Makers',
        to: 'id',
        target: 'items',
      },
    ],
  },
  {
    name: 'Parts',
    table: 'parts',
    properties: { id: 'integer', itemId: 'integer', name: 'string', quantity: 'integer' },
    columns: { itemId: 'item_id' },
    relations: [
      {
        name: 'item',
        type: 'oneToMany',
        from: 'itemId',
        entity: 'Items',
        to: 'id',
        target: 'parts',
      },
    ],
  },
  {
    name: 'Dear',
    table: 'dear',
    properties: { id: 'integer', code: 'string', amount: 'decimal' },
  },
  {
    name: 'Loose',
    table: 'loose',
    properties: {
      id: 'integer',
      bits: 'string',
      ref: 'string',
      day: 'string',
      number: 'string',
      text: 'string',
      short: 'integer',
      long: 'integer',
      real: 'integer',
      kind: 'string',
    },
  },
  {
    name: 'Seen',
    table: 'seen',
    properties: { number: 'integer', text: 'string', long: 'integer' },
  },
  {
    name: 'Measured',
    table: 'measured',
    properties: { id: 'integer', region: 'string', level: 'integer' },
  },
  {
    name: 'Wide',
    table: 'wide',
    properties: { id: 'integer', key: 'integer', name: 'string' },
  },
  { name: 'Folded', table: 'folded', properties: { id: 'integer', name: 'string' } },
  { name: 'Counter', table: 'counter', properties: { id: 'integer', value: 'integer' } },
  { name: 'Changing', table: 'changing', properties: { id: 'integer', name: 'string' } },
  { name: 'Sleepy', table: 'sleepy', properties: { id: 'integer', seconds: 'number' } },
  { name: 'Drowsy', table: 'drowsy', properties: { id: 'integer', seconds: 'number' } },
  { name: 'Heavy', table: 'heavy', properties: { id: 'integer', body: 'string' } },
];

function withoutMapping({ name, properties, relations = [] }: Entity) {
  const [key = ''] = Object.keys(properties);
  return {
    name,
    primaryKey: [key],
    properties: Object.entries(properties).map(([property, type]) => ({ name: property, type })),
    relations,
  };
}

function mappingOf({ name, table, columns = {} }: Entity) {
  const properties = Object.entries(columns).map(([property, mapping]) => ({
    name: property,
    mapping,
  }));
  return { name, mapping: table, properties };
}
