/** Values that do not fit their column are errors of the request, which name the property or the parameter. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { type Answer, post, type Program, rowsOf, startProgram } from '../support/program.js';
import { useOwnMariadb, useOwnPostgresql } from './own-database.js';

describe('label paths on PostgreSQL', () => {
  const database = useOwnPostgresql(
    "CREATE EXTENSION ltree; CREATE TABLE topic (id integer PRIMARY KEY, path ltree); INSERT INTO topic VALUES (1, 'a.b');",
  );
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  const unreadable = { status: 400, code: 'parameter-type' };

  test.each(['a b..c', 'x'.repeat(2000)])('a text that is none is refused', async (path) => {
    const read = 'Topic.filter(p=>p.path==path)';
    expect(await refusal(program, read, { path })).toEqual({
      ...unreadable,
      detail: "The value of parameter 'path' does not have the type of its column.",
      place: 'data.path',
    });
    expect(await refusal(program, `Topic.filter(p=>p.path=="${path}")`)).toMatchObject(unreadable);
    const insert = 'Topic.insert()';
    expect(await refusal(program, insert, { id: 2, path })).toMatchObject(unreadable);
    expect(await rowsOf(program, read, { path: 'a.b' })).toEqual([{ id: 1, path: 'a.b' }]);
  });
});

describe('values that do not fit on PostgreSQL', () => {
  const database = useOwnPostgresql(
    'CREATE TABLE item (id integer PRIMARY KEY, note xml, span interval, net cidr, mac macaddr);' +
      'INSERT INTO item VALUES (1);',
  );
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  test.each([
    // The message about a list does not contain the text.
    ['note', '<a', false],
    ['span', '99999999999999999999 days', true],
    ['span', '9223372036854775807 hours', true],
    ['net', '10.0.0.1/8', true],
    ['mac', 'x "y"', true],
  ])('%s: %j is refused with its place', async (property, value, isNamed) => {
    const detail = `A value does not fit the column of ${property} in entity Item.`;
    const refused = { status: 400, code: 'parameter-type', detail };
    const row = { id: 5, [property]: value };
    const place = `data.${property}`;
    for (const query of ['Item.insert()', 'Item.upsert()'])
      expect(await refusal(program, query, row)).toEqual({ ...refused, place });
    const update = await refusal(program, 'Item.update()', { ...row, id: 1 });
    expect(update).toEqual({ ...refused, place });
    const ofList = isNamed ? { ...refused, place: `data[1].${property}` } : refused;
    const rows = [{ id: 6, [property]: null }, row];
    for (const query of ['Item.bulkInsert()', 'Item.bulkUpsert()'])
      expect(await refusal(program, query, rows)).toEqual(ofList);
    const entities = [{ entity: 'Item', rows }];
    expect(refusedBy(await post(program, '/stages/default/import', { entities }))).toEqual({
      ...refused,
      place: `entities[0].rows[1].${property}`,
    });
    expect(await rowsOf(program, 'Item.map(p=>p.id)')).toEqual([{ id: 1 }]);
  });
});

describeMariadb('values that do not fit', () => {
  const database = useOwnMariadb(
    `CREATE TABLE item (id integer PRIMARY KEY, tags SET('a', 'b'), address inet6, name varchar(9) CHARACTER SET latin1,
      count integer unsigned, flags bit(4), text varchar(9), at timestamp NULL);
    INSERT INTO item (id, text) VALUES (1, 'x');`,
  );
  let program: Program;
  beforeAll(async () => {
    program = await startProgram(['--url', database.url, '--workers', '1']);
  });
  afterAll(() => program.stop());

  const unfit = (property: string) =>
    ['parameter-type', `A value does not fit the column of ${property} in entity Item.`] as const;

  test.each([
    ['tags', 'a,c', 400, ...unfit('tags')],
    ['address', '10.0.0.0/8', 400, ...unfit('address')],
    ['name', '日', 400, ...unfit('name')],
    [
      'count',
      -1,
      400,
      'value-out-of-range',
      'A number is out of the range of count in entity Item.',
    ],
    [
      'at',
      '1969-12-31T00:00:00Z',
      400,
      'value-out-of-range',
      'A date is out of the range of at in entity Item.',
    ],
    ['flags', 16, 422, 'value-too-long', 'A value is too long for flags in entity Item.'],
  ])('%s: %j is refused with its place', async (property, value, status, code, detail) => {
    const refused = { status, code, detail };
    const row = { id: 5, [property]: value };
    const place = `data.${property}`;
    for (const query of ['Item.insert()', 'Item.upsert()']) {
      expect(await refusal(program, query, row)).toEqual({ ...refused, place });
    }
    const update = await refusal(program, 'Item.update()', { ...row, id: 1 });
    expect(update).toEqual({ ...refused, place });
    const rows = [{ id: 6 }, row];
    const ofRow = { ...refused, place: `data[1].${property}` };
    expect(await refusal(program, 'Item.bulkInsert()', rows)).toEqual(ofRow);
    expect(await refusal(program, 'Item.bulkUpsert()', rows)).toEqual(ofRow);
    const entities = [{ entity: 'Item', rows }];
    const imported = refusedBy(await post(program, '/stages/default/import', { entities }));
    expect(imported).toEqual({ ...refused, place: `entities[0].rows[1].${property}` });
    expect(await rowsOf(program, 'Item.map(p=>p.id)')).toEqual([{ id: 1 }]);
  });

  test('a computed value that does not fit is an error of the evaluation', async () => {
    const [, detail] = unfit('tags');
    const refused = { status: 400, code: 'evaluation-failed', detail };
    expect(await refusal(program, 'Item.updateAll(p=>({tags: p.text}))')).toEqual(refused);
  });

  test.each(['p.name==x', 'contains(p.name, x)', 'like(p.name, x)', 'in(p.name, [x, "a"])'])(
    '%s with a character that the column cannot have',
    async (condition) => {
      const query = `Item.filter(p=>${condition})`;
      expect(await refusal(program, query, { x: '日' })).toEqual({
        status: 400,
        code: 'evaluation-failed',
        detail:
          "A string that is compared with a column has characters that the column's character set (latin1) lacks.",
      });
      expect(await rowsOf(program, query, { x: 'é' })).toEqual([]);
    },
  );
});

async function refusal(program: Program, query: string, data: unknown = {}): Promise<unknown> {
  return refusedBy(await post(program, '/execute', { query, data }));
}

function refusedBy(answer: Answer): unknown {
  const { status, code, detail, place } = answer.json() as Record<string, unknown>;
  return { status, code, detail, ...(place !== undefined && { place }) };
}
