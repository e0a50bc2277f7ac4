/**
 * Imports of entities whose rows the schema changes or constrains are stored like those of
 * `bulkInsert`.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { openStage, Refused, schemaOf, type TestStage } from './import-stage.js';
import { startWorker } from './test-worker.js';
import { SECRET, writeDocument, writeSchema, writeTables } from './write-schema.js';

let stage: TestStage;
beforeEach(async () => {
  stage = await openStage(writeSchema());
  return () => stage.close();
});

const users = [
  { code: 'a-1', first: 'Ann', last: 'Berg', email: 'Ann@X.org', tokens: [{ secret: 'one' }] },
  { code: 'b', first: 'Bo', last: 'Dahl', slug: 'own', phone: '0123456789', ratio: 2 },
  {
    tokens: [{ secret: 'two' }, { secret: 'three' }],
    code: "c'",
    first: 'Cy',
    last: 'Eng',
    email: null,
  },
];
const mails = [{ address: ' A@B.C ' }, { address: 'd', label: null }, { address: 'E', label: 'l' }];
const items = [
  { name: 'saw', groupId: 1, price: 1.5 },
  { name: 'axe', groupId: 1, status: 'closed', stock: 0, parts: [{ number: 1, label: 'x' }] },
];

function documentOf(entity: string, rows: readonly unknown[]): unknown {
  return { entities: [{ entity, rows }] };
}

const failure = (document: unknown): Promise<unknown> =>
  stage.import(document).then(
    () => expect.unreachable(),
    (error: unknown) => (error instanceof Refused ? error.problem : error),
  );

describe('rows are stored as by a bulkInsert', () => {
  test.each([
    [
      'Users',
      '.include(p=>p.tokens)',
      users.map((user, index) => ({ id: index + 1, ...user })),
      ['Users', 'Tokens'],
    ],
    ['Mails', '', mails, ['Mails']],
    [
      'Groups',
      '.include(p=>p.items.include(q=>q.parts))',
      [{ name: 'g', items }],
      ['Items', 'Items.parts'],
    ],
    [
      'Countries',
      '.include(p=>p.states)',
      [{ code: 'NO', name: 'N', states: [{ code: 'OS', name: 'O' }] }],
      ['Places'],
    ],
  ])('%s', async (entity, include, rows, tables) => {
    const other = await openStage(writeSchema());
    const worker = startWorker(writeDocument(other.connection));
    try {
      await stage.import(documentOf(entity, rows));
      await worker.gateway.rows(`${entity}.bulkInsert()${include}`, rows);
      for (const table of tables) {
        const text = writeTables[table] ?? '';
        const stored = await stage.sql(text);
        expect(stored.length).toBeGreaterThan(0);
        expect(stored).toEqual(await other.sql(text));
      }
    } finally {
      await worker.close();
      await other.close();
    }
  });

  test('with encrypted values, which can be read back, also after an export', async () => {
    await stage.import(documentOf('Users', users));
    const other = await openStage(writeSchema());
    const text = await stage.export();
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('three');
    await other.import(text);
    expect(await other.export()).toBe(text);
    const worker = startWorker(writeDocument(other.connection));
    const read = await worker.gateway.rows(
      'Users.map(p=>[p.code,p.email,p.slug]).include(p=>p.tokens.map(t=>t.secret).sort(t=>t.id)).sort(p=>p.id)',
    );
    await worker.close();
    await other.close();
    expect(read).toEqual([
      { code: "A'1", email: 'ann@x.org', slug: 'ann.berg', tokens: [{ secret: 'one' }] },
      { code: 'B', email: null, slug: 'own', tokens: [] },
      { code: "C'", email: null, slug: 'cy.eng', tokens: [{ secret: 'two' }, { secret: 'three' }] },
    ]);
  });
});

describe('a row that does not meet constraints', () => {
  test('is reported with all of them, and nothing is stored', async () => {
    const rows = [items[0], { name: 'bad', groupId: 1, price: -1, status: 'closed' }];
    expect(await failure(documentOf('Items', rows))).toMatchObject({
      code: 'constraint-unmet',
      place: 'entities[0].rows[1]',
      errors: [
        { message: 'A price is not negative', place: 'entities[0].rows[1]' },
        { message: 'What is closed has no stock', place: 'entities[0].rows[1]' },
      ],
    });
    expect(await stage.counts()).toEqual({});
  });

  test('is reported with its place if it is nested', async () => {
    const rows = [{ name: 'g', items: [items[0], { name: 'bad', price: -1 }] }];
    expect(await failure(documentOf('Groups', rows))).toMatchObject({
      code: 'constraint-unmet',
      place: 'entities[0].rows[0].items[1]',
    });
    expect(await stage.counts()).toEqual({});
  });

  test('is reported if a constraint, default or value cannot be computed or does not fit', async () => {
    const user = { code: 'x', first: 'a', last: 'b' };
    for (const [row, problem] of [
      [{ ratio: 10 }, { code: 'value-out-of-range' }],
      [{ email: 'none' }, { code: 'constraint-unmet', place: 'entities[0].rows[0]' }],
      [{ first: 'a'.repeat(30) }, { code: 'constraint-unmet', place: 'entities[0].rows[0].slug' }],
      [
        { email: `${'a'.repeat(70)}@b` },
        { code: 'constraint-unmet', place: 'entities[0].rows[0].email' },
      ],
    ] as const) {
      expect(await failure(documentOf('Users', [{ ...user, ...row }]))).toMatchObject(problem);
    }
    expect(await stage.counts()).toEqual({});
  });

  test('is refused in an export of stored values, too, except for constraints on values that are stored differently', async () => {
    const user = { code: 'x', first: 'a', last: 'b', slug: null, email: 'v1:none', ratio: 1 };
    const stored = (rows: readonly unknown[]) => ({
      values: 'stored',
      entities: [{ entity: 'Users', rows }],
    });
    await stage.import(stored([user]));
    expect(await failure(stored([{ ...user, ratio: 10 }]))).toMatchObject({
      code: 'value-out-of-range',
    });
  });
});

test.each([
  { title: 'without listeners', listeners: [] },
  {
    title: 'with listeners',
    listeners: [{ name: 'any', on: ['insert' as const], after: 'result.label != "none"' }],
  },
])('stored values are not changed again, $title', async ({ listeners }) => {
  const own = await openStage({ ...writeSchema(), listeners });
  const entities = [{ entity: 'Mails', rows: [{ id: 1, address: ' A ', label: 'L' }] }];
  try {
    await own.import({ values: 'stored', entities });
    await own.import({ entities: [{ entity: 'Mails', rows: [{ address: ' B ', label: 'L' }] }] });
    expect(await own.sql('SELECT address, label FROM Mails ORDER BY id')).toEqual([
      { address: ' A ', label: 'L' },
      { address: 'b', label: ' B /L' },
    ]);
    const unlabelled = { values: 'stored', entities: [{ entity: 'Users', rows: [{}] }] };
    await expect(own.import(unlabelled)).rejects.toMatchObject({
      problem: { code: 'parameter-missing', place: 'entities[0].rows[0].slug' },
    });
  } finally {
    await own.close();
  }
});

test('under a view, hidden properties get their defaults and keep their constraints', async () => {
  const base = schemaOf(`
entities:
  - name: Loans
    primaryKey: [id]
    properties:
      - { name: id, type: integer, required: true }
      - { name: name }
      - { name: top, type: integer, default: 100 }
      - { name: code, default: 'lower(name)' }
    constraints: [{ message: no more than top, condition: 'id <= top' }]
`);
  const hidden = ['top', 'code'].map((name) => ({ name, exclude: true }));
  const entities = [{ name: 'Loans', properties: hidden }];
  const own = await openStage({
    ...base,
    views: [...base.views, { name: 'narrow', entities }],
  });
  try {
    await own.import(documentOf('Loans', [{ id: 1, name: 'ABC' }]), { view: 'narrow' });
    expect(await own.sql('SELECT * FROM Loans')).toEqual([
      { id: 1, name: 'ABC', top: 100, code: 'abc' },
    ]);
    const above = documentOf('Loans', [{ id: 101 }]);
    await expect(own.import(above, { view: 'narrow' })).rejects.toMatchObject({
      message: 'A constraint of entity Loans is not met.',
    });
    const given = documentOf('Loans', [{ id: 2, top: 1000 }]);
    const { ignored } = await own.importAll(given, { view: 'narrow' });
    expect(ignored).toEqual({ 'Loans.top': 1 });
    expect(await own.sql('SELECT id, top FROM Loans WHERE id = 2')).toEqual([{ id: 2, top: 100 }]);
  } finally {
    await own.close();
  }
});
