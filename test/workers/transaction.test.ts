/** Transactions of several steps: their answers, references between steps, and failures. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/program.js';
import { type WatchedDatabase, watchDatabase } from './watch-database.js';
import { startWriteStage, type WriteStage } from './write-stage.js';

let stage: WriteStage;
let database: WatchedDatabase;

beforeAll(async () => {
  stage = await startWriteStage();
  database = watchDatabase(stage.client);
});
beforeEach(() => stage.seed());
afterAll(() => stage.stop());

const all = 'Groups.sort(p=>p.id)';

describe('the answers of the steps', () => {
  test('form a list, each as it would be alone', async () => {
    const answers = await stage.gateway.answers([
      ['Groups.insert()', { name: 'new' }],
      ['Groups.bulkInsert()', [{ name: 'a' }, { name: 'b' }]],
      ['Groups.update({note: note}).filter(p=>p.id>least)', { note: 'x', least: 2 }],
      ['Groups.map(p=>[p.id, p.note]).sort(p=>p.id)'],
      ['Groups.deleteAll().filter(p=>p.id>least)'.replace('All', ''), { least: 3 }],
      ['Groups.bulkInsert()', []],
    ]);
    expect(answers).toEqual([
      { id: 3, name: 'new', note: null },
      [
        { id: 4, name: 'a', note: null },
        { id: 5, name: 'b', note: null },
      ],
      3,
      [
        { id: 1, note: 'a' },
        { id: 2, note: null },
        { id: 3, note: 'x' },
        { id: 4, note: 'x' },
        { id: 5, note: 'x' },
      ],
      2,
      [],
    ]);
    expect(await database.count('groups')).toBe(3);
  });

  test('are indented on request, as one document', async () => {
    const steps = [[all], ['Groups.insert()', { name: 'line\nbreak' }], [all]] as const;
    const { text } = await stage.gateway.transact(steps, { form: 'pretty' });
    expect(text).toBe(JSON.stringify(JSON.parse(text), null, 2));
    expect(text).toContain('"line\\nbreak"');
  });

  test('are read with includes, one after the other, among the writes of the transaction', async () => {
    const read = 'Groups.filter(p=>p.id==id).include(p=>p.items.include(i=>i.parts))';
    const answers = await stage.gateway.answers([
      [read, { id: 1 }],
      ['Items.parts.insert()', { itemId: 2, number: 2, label: 'shaft' }],
      [read, { id: 1 }],
      [read, { id: 9 }],
    ]);
    const parts = (step: number) => at(answers, step, 0, 'items', 1, 'parts');
    expect(parts(0)).toHaveLength(1);
    expect(parts(2)).toMatchObject([{ number: 1 }, { number: 2, label: 'shaft' }]);
    expect(at(answers, 3)).toEqual([]);
  });

  test.each([
    ['Groups.filter(p=>p.id==9).include(p=>p.items)', 0],
    ['Items.filter(p=>p.id==3).include(p=>p.parts)', 1],
    ['Items.filter(p=>p.id==3).include(p=>p.parts.include(q=>q.maker))', 1],
  ] as const)('may have nothing to include: %s', async (query, rows) => {
    expect(at(await stage.gateway.answers([[query]]), 0)).toHaveLength(rows);
    const answers = await stage.gateway.answers([[query], ['Notes.deleteAll()'], [query]]);
    expect(at(answers, 2)).toHaveLength(rows);
    expect(await database.count('notes')).toBe(0);
    expect(await database.openTransactions()).toBe(0);
  });

  test('of many rows arrive in parts after the commit', async () => {
    const rows = Array.from({ length: 4000 }, (_, index) => ({ name: `n${index}` }));
    const { text, parts } = await stage.gateway.transact([
      ['Nodes.bulkInsert()', rows],
      ['Nodes.sort(p=>p.id)'],
    ]);
    expect(parts).toBeGreaterThan(1);
    const [stored, read]: unknown[][] = JSON.parse(text);
    expect(stored).toHaveLength(4000);
    expect(read?.slice(2)).toEqual(stored);
  });

  test('may not be larger than allowed; otherwise nothing is written', async () => {
    const rows = Array.from({ length: 10_000 }, () => ({ name: 'n'.repeat(80) }));
    await expectProblem(
      [
        ['Notes.insert()', { text: 'x' }],
        ['Nodes.bulkInsert()', rows],
      ],
      {
        code: 'answer-too-large',
        step: 1,
      },
    );
    await stage.client.query(
      `INSERT INTO nodes (name) SELECT repeat('n', 80) FROM generate_series(1, 10000)`,
    );
    await expectProblem([['Notes.insert()', { text: 'x' }], ['Nodes']], {
      code: 'answer-too-large',
      step: 1,
    });
    expect(await database.count('notes')).toBe(2);
    expect(await database.openTransactions()).toBe(0);
  });
});

describe('a reference', () => {
  test('passes a generated key to a later step', async () => {
    const answers = await stage.gateway.answers([
      ['Groups.insert()', { name: 'new' }],
      ['Items.insert()', { name: 'x', groupId: { $ref: '0.id' } }],
      [
        'Items.parts.bulkInsert()',
        [
          { itemId: { $ref: '1.id' }, number: 1 },
          { itemId: { $ref: '1.id' }, number: 2 },
        ],
      ],
      ['Items.filter(p=>p.groupId==group).include(p=>p.parts)', { group: { $ref: '1.groupId' } }],
    ]);
    expect(at(answers, 3, 0)).toMatchObject({ id: 4, groupId: 3, parts: [{ number: 1 }, {}] });
  });

  test('takes a value from rows, including included ones', async () => {
    const answers = await stage.gateway.answers([
      ['Items.filter(p=>p.id==1).include(p=>[p.parts, p.maker])'],
      ['Items.parts.filter(p=>p.label==label)', { label: { $ref: '0[0].parts[1].label' } }],
      ['Makers.filter(p=>p.name==name)', { name: { $ref: '0.0.maker.name' } }],
    ]);
    expect(at(answers, 1, 0)).toMatchObject({ itemId: 1, number: 2 });
    expect(at(answers, 2, 0)).toMatchObject({ id: 'AA' });
  });

  test('takes counts, objects, and lists of rows', async () => {
    const answers = await stage.gateway.answers([
      ['Notes.deleteAll()'],
      ['Groups.filter(p=>p.id==count)', { count: { $ref: '0' } }],
      ['Makers.filter(p=>p.id=="BB").map(p=>({text: p.name}))'],
      ['Notes.bulkInsert()', { $ref: '2' }],
      ['Notes.insert()', { $ref: '2[0]' }],
    ]);
    expect(at(answers, 1, 0)).toMatchObject({ name: 'toys' });
    expect(at(answers, 3)).toEqual([{ text: 'Berg' }]);
    expect(await database.count('notes')).toBe(2);
  });

  test('keeps every digit, and null, false and 0', async () => {
    await stage.client.query(
      `UPDATE Items SET price = 12345678901234567890.1234, stock = 0, active = false WHERE id = 1`,
    );
    const { text } = await stage.gateway.transact([
      ['Items.filter(p=>p.id==1)'],
      [
        'Items.insert()',
        {
          name: 'copy',
          groupId: { $ref: '0.0.groupId' },
          price: { $ref: '0.0.price' },
          stock: { $ref: '0.0.stock' },
          active: { $ref: '0.0.active' },
          made: { $ref: '0.0.made' },
          day: { $ref: '0.0.day' },
          at: { $ref: '0.0.at' },
          weight: { $ref: '0.0.weight' },
        },
      ],
    ]);
    expect(text.split('12345678901234567890.1234')).toHaveLength(3);
    const { rows } = await stage.client.query(
      `SELECT count(*)::int AS same FROM Items a JOIN Items b
        ON a.id = 1 AND b.ItemName = 'copy' AND (a.price, a.stock, a.active, a.made, a.day, a.at, a.weight)
         = (b.price, b.stock, b.active, b.made, b.day, b.at, b.weight)`,
    );
    expect(rows).toEqual([{ same: 1 }]);
  });

  test('to a null is null, with the plan for a null', async () => {
    const answers = await stage.gateway.answers([
      ['Makers.filter(p=>p.id=="BB")'],
      ['Makers.filter(p=>p.city==city).map(p=>[p.id])', { city: { $ref: '0.0.city' } }],
    ]);
    expect(at(answers, 1)).toEqual([{ id: 'BB' }]);
  });

  test('with other members is ordinary data', async () => {
    await expectProblem([[all], ['Notes.insert()', { text: { $ref: '0', more: 1 } }]], {
      code: 'parameter-type',
      place: 'data.text',
      step: 1,
    });
  });

  test.each([
    ['5.id', "The reference '5.id' refers to step 5, which does not come before this one."],
    ['1.id', "The reference '1.id' refers to step 1, which does not come before this one."],
    ['id', "The reference 'id' does not begin with the number of a step."],
    ['0.7.id', "The reference '0.7.id' cannot be resolved: step 0 is a list of 2 without '7'."],
    ['0.0.idd', "The reference '0.0.idd' cannot be resolved: step 0[0] has no 'idd'."],
    ['0.0.id.x', "The reference '0.0.id.x' cannot be resolved: step 0[0].id is a number."],
    [
      '0.length',
      "The reference '0.length' cannot be resolved: step 0 is a list of 2 without 'length'.",
    ],
    [7, 'A reference must be a string such as "0.id", not an integer.'],
  ])('%j cannot be resolved', async (reference, detail) => {
    await expectProblem([[all], ['Notes.insert()', { text: { $ref: reference } }]], {
      code: 'reference-invalid',
      detail,
      place: 'data.text',
      step: 1,
    });
  });
});

describe('an error in a step', () => {
  const writes = [
    ['Groups.insert()', { name: 'new' }],
    ['Items.update({stock: 1}).filter(p=>p.groupId==1)'],
    ['Notes.deleteAll()'],
  ] as const;

  test.each([
    {
      what: 'that the database finds',
      step: ['Groups.insert()', { name: 'tools' }],
      problem: { code: 'unique-violation', place: 'data.name', sqlstate: '23505' },
    },
    {
      what: 'in its data',
      step: ['Items.insert()', { name: 'x', groupId: 'one' }],
      problem: { code: 'parameter-type', place: 'data.groupId' },
    },
    {
      what: 'in values that it refers to',
      step: ['Groups.insert()', { name: { $ref: '1' } }],
      problem: { code: 'parameter-type', place: 'data.name' },
    },
    {
      what: 'that a constraint finds',
      step: ['Items.insert()', { name: 'x', groupId: { $ref: '0.id' }, price: -1 }],
      problem: { code: 'constraint-unmet' },
    },
    {
      what: 'of evaluation',
      step: ['Items.filter(p=>p.id+9223372036854775807>1)'],
      problem: { code: 'value-out-of-range' },
    },
    {
      what: 'in the text of its data',
      step: ['Notes.insert()', '{"text":'],
      problem: { code: 'data-malformed' },
    },
  ] as const)('$what undoes all steps, and is answered with its number', async (each) => {
    const before = await tables();
    const steps = [...writes, each.step as readonly [string, unknown], ...writes];
    await expectProblem(steps, { ...each.problem, step: 3 });
    expect(await tables()).toEqual(before);
    expect(await database.openTransactions()).toBe(0);
  });

  test('that occurs at the end has no number', async () => {
    await stage.client.query(
      `ALTER TABLE groups ADD CONSTRAINT late UNIQUE (note) DEFERRABLE INITIALLY DEFERRED`,
    );
    try {
      const problem = await problemOf([
        ['Groups.insert()', { name: 'x', note: 'a' }],
        ['Notes.deleteAll()'],
      ]);
      expect(problem).toMatchObject({ code: 'unique-violation' });
      expect(problem).not.toHaveProperty('step');
    } finally {
      await stage.client.query('ALTER TABLE groups DROP CONSTRAINT late');
    }
    expect(await database.count('notes')).toBe(2);
  });
});

describe('a transaction', () => {
  test.each([
    [undefined, 'read committed'],
    ['readCommitted', 'read committed'],
    ['repeatableRead', 'repeatable read'],
    ['serializable', 'serializable'],
  ] as const)('runs at the isolation %s', async (isolation, level) => {
    await stage.client.query(`ALTER TABLE notes ALTER text SET DEFAULT 'x';
      CREATE OR REPLACE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN NEW.text := current_setting('transaction_isolation'); RETURN NEW; END $$;
      CREATE OR REPLACE TRIGGER tell BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION tell()`);
    try {
      const answers = await stage.gateway.answers([['Notes.insert()', { text: 'x' }]], {
        ...(isolation && { isolation }),
      });
      expect(answers).toEqual([{ text: level }]);
    } finally {
      await stage.client.query('DROP TRIGGER tell ON notes; DROP FUNCTION tell');
    }
  });

  test('that is read-only refuses a write before anything runs', async () => {
    await expectProblem(
      [['Groups'], ['Notes.deleteAll()']],
      { code: 'write-in-read-only', step: 1 },
      { readOnly: true },
    );
    expect(await database.count('notes')).toBe(2);
  });

  test('that is read-only reads, and the database itself would refuse a write', async () => {
    await stage.client.query(`CREATE TABLE seen (id int);
      CREATE FUNCTION see() RETURNS text LANGUAGE sql VOLATILE AS
        $$ INSERT INTO seen VALUES (1); SELECT 'seen' $$;
      ALTER TABLE notes RENAME TO kept_notes;
      CREATE VIEW notes AS SELECT see() AS text`);
    try {
      await expectProblem([['Notes']], { step: 0, code: 'write-in-read-only' }, { readOnly: true });
      expect(await stage.gateway.answers([['Notes']])).toEqual([[{ text: 'seen' }]]);
    } finally {
      await stage.client.query(`DROP VIEW notes; DROP FUNCTION see; DROP TABLE seen;
        ALTER TABLE kept_notes RENAME TO notes`);
    }
    expect(await stage.gateway.answers([[all]], { readOnly: true })).toMatchObject([[{}, {}]]);
  });

  test('is rolled back if its client disconnects while it waits', async () => {
    const steps = [['Groups.insert()', { name: 'new' }], ['Notes.deleteAll()']] as const;
    for (const [query] of steps) await stage.gateway.compile(query);
    await stage.client.query('BEGIN; LOCK TABLE notes');
    const { id, received } = stage.gateway.startTransaction(steps);
    await database.waitForLock();
    stage.gateway.cancel(id);
    await expect(received).rejects.toMatchObject({ problem: { code: 'cancelled', step: 1 } });
    await stage.client.query('COMMIT');
    expect(await database.count('groups')).toBe(2);
    // The answer does not wait for the ROLLBACK.
    await until('no transaction is open', async () => (await database.openTransactions()) === 0);
    expect(await stage.gateway.answers(steps)).toMatchObject([{ name: 'new' }, 2]);
  });

  test('is retried if a table has changed', async () => {
    const steps = [
      ['Groups.insert()', { name: 'n' }],
      ['Odd.insert()', { order: 'a' }],
    ] as const;
    await stage.gateway.answers(steps);
    await stage.seed();
    await stage.client.query('ALTER TABLE "OddRows" ALTER "order" TYPE varchar(77)');
    expect(await stage.gateway.answers(steps)).toMatchObject([{ id: 4 }, { order: 'a' }]);
    expect(await database.count('groups')).toBe(3);
  });
});

function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), value);
}

type Steps = Parameters<WriteStage['gateway']['transact']>[0];
type Options = Parameters<WriteStage['gateway']['transact']>[1];

async function problemOf(steps: Steps, options: Options = {}): Promise<unknown> {
  const error: unknown = await stage.gateway.transact(steps, options).then(
    ({ text }) => new Error(`it was answered: ${text}`),
    (failure: unknown) => failure,
  );
  const problem = at(error, 'problem');
  if (problem === undefined) throw error;
  return problem;
}

async function expectProblem(steps: Steps, problem: object, options: Options = {}): Promise<void> {
  expect(await problemOf(steps, options)).toMatchObject(problem);
}

async function tables(): Promise<unknown> {
  const { rows } = await stage.client.query(`SELECT
    (SELECT json_agg(g ORDER BY id) FROM groups g) AS groups,
    (SELECT json_agg(i ORDER BY id) FROM Items i) AS items,
    (SELECT json_agg(n ORDER BY text) FROM notes n) AS notes`);
  return rows;
}
