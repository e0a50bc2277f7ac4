/**
 * Read expressions of the schema: in rows, maps, includes, formats and views; and encrypted properties.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startWriteStage, type WriteStage } from './write-stage.js';
import { SECRET } from './write-schema.js';

let stage: WriteStage;
beforeAll(async () => {
  stage = await startWriteStage();
});
afterAll(() => stage.stop());
beforeEach(async () => {
  await stage.seed();
  await stage.gateway.execute('Users.bulkInsert().include(p=>p.tokens)', {
    data: [
      { code: 'b', first: 'Bo', last: 'Dahl', email: 'Bo@X.org', tokens: [{ secret: 'one' }] },
      { code: 'c', first: 'Cy', last: 'Eng', phone: '0987654321', tokens: [] },
    ],
  });
});

const rows = (query: string, data?: unknown) => stage.gateway.rows(query, data);
const failure = (query: string, data?: unknown) =>
  rows(query, data).then(
    () => expect.unreachable(),
    (error: { readonly problem: unknown }) => error.problem,
  );

describe('properties are read as the schema defines', () => {
  test.each([
    [
      'Users.filter(p=>p.id==2)',
      [
        {
          id: 2,
          code: 'B',
          first: 'Bo',
          last: 'Dahl',
          full: 'Dahl, Bo',
          phone: null,
          email: 'bo@x.org',
          hello: 'Hello Bo <bo@x.org>',
          slug: 'bo.dahl',
          ratio: null,
        },
      ],
    ],
    [
      'Users.map(p=>p.email).sort(p=>p.id)',
      [{ email: null }, { email: 'bo@x.org' }, { email: null }],
    ],
    ['Users.filter(p=>p.id==2).map(p=>({mail: p.email}))', [{ mail: 'bo@x.org' }]],
    ['Users.filter(p=>p.id==2).map(p=>p.hello)', [{ hello: 'Hello Bo <bo@x.org>' }]],
    ['Users.first(p=>p.hello)', [{ hello: null }]],
    ['Users.filter(p=>p.full=="Dahl, Bo").map(p=>upper(p.full))', [{ upper: 'DAHL, BO' }]],
    ['Users.sort(p=>desc(p.full)).map(p=>p.full).take(1)', [{ full: 'Eng, Cy' }]],
    [
      'Users.filter(p=>p.phone=="098***321").map(p=>[p.id, p.phone])',
      [{ id: 3, phone: '098***321' }],
    ],
    [
      'Users.map(p=>({full: p.full, n: count(1)})).sort(p=>p.full).take(1)',
      [{ full: 'Berg, Ann', n: 1 }],
    ],
    ['Tokens.map(p=>[p.secret, p.user.email])', [{ secret: 'one', user_email: 'bo@x.org' }]],
    ['Tokens.map(p=>p.user.full)', [{ full: 'Dahl, Bo' }]],
    [
      'Users.filter(p=>p.id>1).map(p=>p.first).include(p=>p.tokens.map(t=>t.secret))',
      [
        { first: 'Bo', tokens: [{ secret: 'one' }] },
        { first: 'Cy', tokens: [] },
      ],
    ],
    [
      'Users.filter(p=>p.id==2).map(p=>p.first).include(p=>p.tokens.map(t=>t.secret).page(1,1))',
      [{ first: 'Bo', tokens: [{ secret: 'one' }] }],
    ],
    [
      'Tokens.map(p=>p.id).include(p=>p.user.map(u=>u.email))',
      [{ id: 1, user: { email: 'bo@x.org' } }],
    ],
    ['Users.count()', [{ count: 3 }]],
  ])('%s', async (query, answer) => {
    expect(await rows(query)).toEqual(answer);
  });

  test('in every format of an answer', async () => {
    const query = 'Users.filter(p=>p.id==2).map(p=>[p.email, p.hello, p.ratio])';
    const texts = await Promise.all(
      (['compact', 'pretty', 'lines', 'csv'] as const).map(async (form) => {
        const { text } = await stage.gateway.execute(query, { form });
        return text;
      }),
    );
    const row = { email: 'bo@x.org', hello: 'Hello Bo <bo@x.org>', ratio: null };
    expect(texts).toEqual([
      JSON.stringify([row]),
      JSON.stringify([row], null, 2),
      `${JSON.stringify(row)}\n`,
      'email,hello,ratio\r\nbo@x.org,Hello Bo <bo@x.org>,\r\n',
    ]);
  });

  test('for many concurrent requests', async () => {
    const query = 'Users.filter(p=>p.id==id).map(p=>p.email)';
    await rows(query, { id: 1 });
    const ids = Array.from({ length: 40 }, (_, index) => (index % 3) + 1);
    const answers = await Promise.all(ids.map((id) => rows(query, { id })));
    expect(answers).toEqual(ids.map((id) => [{ email: id === 2 ? 'bo@x.org' : null }]));
  });
});

describe('a property that Rowgate computes can be returned, but not used otherwise', () => {
  test.each([
    'Users.filter(p=>p.email=="a")',
    'Users.filter(p=>p.email==null)',
    'Users.filter(p=>isNull(p.email))',
    'Users.sort(p=>p.email)',
    'Users.map(p=>p.email).sort(p=>p.email)',
    'Users.map(p=>upper(p.email))',
    'Users.map(p=>({a: p.email + "x"}))',
    'Users.map(p=>max(p.email))',
    'Users.map(p=>({email: p.email, n: count(1)}))',
    'Users.distinct(p=>p.email)',
    'Users.distinct()',
    'Tokens.filter(p=>p.user.email=="a")',
    'Users.filter(p=>exists(p.tokens,t=>t.secret=="a"))',
    'Users.include(p=>p.tokens.filter(t=>t.secret=="a"))',
  ])('%s', async (query) => {
    expect(await failure(query)).toMatchObject({
      code: 'unsupported',
      detail: expect.stringContaining('computed after its row is read'),
    });
  });
});

describe('entities that share a table have separate rows', () => {
  test.each([
    ['Countries', [{ type: 'country', code: 'NO', name: 'Norway', within: null }]],
    ['States.map(p=>p.code)', [{ code: 'NO' }, { code: 'OS' }]],
    ['States.count()', [{ count: 2 }]],
    [
      'States.map(p=>[p.code, p.country.name])',
      [
        { code: 'NO', country_name: 'Norway' },
        { code: 'OS', country_name: 'Norway' },
      ],
    ],
    ['Countries.map(p=>p.states.count())', [{ count: 2 }]],
    [
      'Countries.map(p=>p.code).include(p=>p.states.map(s=>s.name))',
      [{ code: 'NO', states: [{ name: 'Nord' }, { name: 'Oslo' }] }],
    ],
    [
      'States.filter(p=>p.code=="NO").include(p=>p.country.map(c=>c.name)).map(p=>p.name)',
      [{ name: 'Nord', country: { name: 'Norway' } }],
    ],
    ['Sites', [{ id: 1, kind: 7, name: 'own' }]],
  ])('%s', async (query, answer) => {
    expect(await rows(query)).toEqual(answer);
  });

  test('for many concurrent requests', async () => {
    const query = 'States.filter(p=>p.code==code).map(p=>p.name)';
    await rows(query, { code: 'NO' });
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => rows(query, { code: 'NO' })),
    );
    expect(new Set(answers.map((each) => JSON.stringify(each)))).toEqual(
      new Set(['[{"name":"Nord"}]']),
    );
  });
});

describe('a secret is not revealed', () => {
  const garbled = [
    ['changed', "UPDATE users SET email = overlay(email placing 'AAAA' from 20) WHERE id = 2"],
    ['in the clear', "UPDATE users SET email = 'plain@text' WHERE id = 2"],
  ] as const;

  test.each(garbled)('by the error for a stored value that was %s', async (_, statement) => {
    await stage.client.query(statement);
    for (const query of ['Users.map(p=>p.email)', 'Tokens.include(p=>p.user)']) {
      const problem = await failure(query);
      expect(problem).toMatchObject({ code: 'value-unreadable' });
      const text = JSON.stringify(problem);
      expect(text).toMatch(/property '(email|hello)' of entity 'Users'/);
      for (const secret of [SECRET, 'plain@text', 'v1:']) expect(text).not.toContain(secret);
    }
    expect(await rows('Users.map(p=>p.first).filter(p=>p.id==2)')).toEqual([{ first: 'Bo' }]);
  });
});
