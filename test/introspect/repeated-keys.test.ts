/**
 * Rows of a list whose keys the database considers equal although their texts differ are written one after the other,
 * like rows with the same text: the last one wins.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { post, type Program, rowsOf, startProgram } from '../support/program.js';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from './own-database.js';

/** A type of keys, and two texts of the same key. */
interface KeyType {
  readonly entity: string;
  readonly type: string;
  readonly texts: readonly [unknown, unknown];
  /** Whether the column rounds the texts, so that no update finds its row. */
  readonly isRounded?: true;
}

const onBoth: readonly KeyType[] = [
  { entity: 'Ratio', type: 'double precision', texts: ['0.3', '0.29999999999999999'] },
  { entity: 'Exact', type: 'decimal(6, 2)', texts: ['1.5', '1.50'] },
  { entity: 'Rounded', type: 'decimal(6, 2)', texts: ['2.001', '2.002'], isRounded: true },
];

const postgresqlTypes: readonly KeyType[] = [
  ...onBoth,
  { entity: 'Letter', type: 'char(5)', texts: ['ab', 'ab '] },
  { entity: 'Word', type: 'citext', texts: ['Bob', 'bob'] },
  { entity: 'Name', type: 'text COLLATE same', texts: ['Bob', 'bób'] },
  { entity: 'Address', type: 'inet', texts: ['1.2.3.4', '1.2.3.4/32'] },
  { entity: 'Single', type: 'real', texts: ['1.1', '1.10000001'], isRounded: true },
  { entity: 'Span', type: 'interval', texts: ['P1D', 'PT24H'] },
  { entity: 'Data', type: 'bytea', texts: ['AA==', 'AB=='] },
  {
    entity: 'Moment',
    type: 'timestamptz(0)',
    texts: ['2020-01-01T00:00:00.1Z', '2020-01-01T00:00:00.2Z'],
    isRounded: true,
  },
  { entity: 'Clock', type: 'time(0)', texts: ['10:00:00.1', '10:00:00.2'], isRounded: true },
];

const mariadbTypes: readonly KeyType[] = [
  ...onBoth,
  { entity: 'Letter', type: 'char(5) COLLATE utf8mb4_general_ci', texts: ['ab', 'ab '] },
  { entity: 'Word', type: 'varchar(20) COLLATE utf8mb4_general_ci', texts: ['Bob', 'bób'] },
  { entity: 'Data', type: 'varbinary(8)', texts: ['AA==', 'AB=='] },
];

function tablesSql(types: readonly KeyType[], word: string): string {
  const own = types.map(
    ({ entity, type }) =>
      `CREATE TABLE ${entity.toLowerCase()} (id ${type} PRIMARY KEY, v integer NOT NULL);`,
  );
  return `${own.join('\n')}
    CREATE TABLE person (id integer PRIMARY KEY, email ${word} UNIQUE NOT NULL, name varchar(20));
    CREATE TABLE tag (person_id integer REFERENCES person (id), word ${word}, v integer NOT NULL,
      PRIMARY KEY (person_id, word));
    CREATE TABLE label (word ${word} UNIQUE, v integer);`;
}

describe('on PostgreSQL', () => {
  const before = `CREATE EXTENSION citext;
    CREATE COLLATION same (provider = icu, locale = 'und-u-ks-level1', deterministic = false);`;
  suite(useOwnPostgresql(before + tablesSql(postgresqlTypes, 'citext')), postgresqlTypes);
});

describeMariadb('rows with equal keys', () => {
  const word = 'varchar(20) COLLATE utf8mb4_general_ci';
  suite(useOwnMariadb(tablesSql(mariadbTypes, word)), mariadbTypes);
});

function suite(database: OwnDatabase, types: readonly KeyType[]): void {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  const valuesOf = (entity: string) => database.texts(`SELECT v FROM ${entity.toLowerCase()}`);
  const sameKeys = ([one, other]: KeyType['texts']) => [
    { id: one, v: 1 },
    { id: other, v: 2 },
  ];

  describe.each(types)('$type', ({ entity, texts, isRounded }) => {
    test('an upsert of a list stores the last row', async () => {
      await rowsOf(program, `${entity}.bulkUpsert()`, sameKeys(texts));
      expect((await valuesOf(entity)).map(([v]) => Number(v))).toEqual([2]);
    });

    test('an update of a list stores the last row, and counts each', async () => {
      const reversed = sameKeys(texts).reverse();
      expect(await rowsOf(program, `${entity}.update()`, reversed)).toBe(isRounded ? 0 : 2);
      expect((await valuesOf(entity)).map(([v]) => Number(v))).toEqual([isRounded ? 2 : 1]);
    });
  });

  test('an upsert by a unique key, with included rows', async () => {
    const rows = [
      { id: 1, email: 'a@x', name: 'first', tags: [{ word: 'new', v: 1 }] },
      {
        id: 2,
        email: 'b@x',
        tags: [
          { word: 'Old', v: 1 },
          { word: 'old', v: 2 },
        ],
      },
    ];
    await rowsOf(program, 'Person.bulkUpsert().include(p=>p.tags)', rows);
    expect(await tags()).toEqual([
      { personId: 1, v: 1 },
      { personId: 2, v: 2 },
    ]);
    const again = [
      { email: 'A@x', name: 'second', tags: [{ word: 'NEW', v: 3 }] },
      { email: 'a@X', tags: [{ word: 'New', v: 4 }] },
    ];
    await rowsOf(program, 'Person.bulkUpsert(p=>{name: p.name}).include(p=>p.tags)', again);
    expect(await tags()).toEqual([
      { personId: 1, v: 4 },
      { personId: 2, v: 2 },
    ]);
  });

  test('an upsert by the only key, which is unique', async () => {
    await rowsOf(program, 'Label.upsert()', { word: 'Bob', v: 1 });
    expect(await rowsOf(program, 'Label.upsert({v:v})', { word: 'bob', v: 2 })).toMatchObject({
      v: 2,
    });
    const rows = [{ word: 'BOB', v: 3 }, { word: 'eve', v: 1 }, { v: 0 }, { word: 'Eve', v: 4 }];
    await rowsOf(program, 'Label.bulkUpsert()', rows);
    expect(await rowsOf(program, 'Label.sort(p=>p.v).map(p=>p.v)')).toEqual(
      [0, 3, 4].map((v) => ({ v })),
    );
  });

  test('a transaction goes on', async () => {
    await database.run('DELETE FROM word');
    const step = (query: string, data: unknown) => ({ query, data });
    const answer = await post(program, '/transaction', [
      step('Word.insert()', { id: 'first', v: 0 }),
      step('Word.bulkUpsert()', [
        { id: 'Bob', v: 1 },
        { id: 'BOB', v: 2 },
        { id: 'eve', v: 1 },
      ]),
      step('Word.update()', [
        { id: 'bob', v: 3 },
        { id: 'bOb', v: 4 },
        { id: 'nobody', v: 4 },
      ]),
      step('Word.insert()', { id: 'last', v: 9 }),
    ]);
    expect(answer.status, answer.text).toBe(200);
    expect((answer.json() as readonly unknown[])[2]).toBe(2);
    expect(await rowsOf(program, 'Word.sort(p=>p.v).map(p=>p.v)')).toEqual(
      [0, 1, 4, 9].map((v) => ({ v })),
    );
  });

  async function tags() {
    return rowsOf(program, 'Tag.sort(p=>p.personId).map(p=>[p.personId,p.v])');
  }
}
