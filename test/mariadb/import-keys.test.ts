/** Keys that MariaDB and MySQL generate during an import. */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { type DialectName, loadSchema } from '../../src/engine/index.js';
import { describeMariadb } from '../support/mariadb.js';
import { schemaOf } from '../workers/import-stage.js';
import { startFaultyProxy } from './faulty-proxy.js';
import { type MariadbStage, openMariadbStage } from './transfer-stage.js';

const schema = schemaOf(`
entities:
  - name: Moved
    primaryKey: [id]
    properties:
      - { name: id, type: integer, autoIncrement: true }
      - { name: a, type: integer }
      - { name: b, type: integer }
  - name: Kids
    primaryKey: [id]
    properties:
      - { name: id, type: integer, autoIncrement: true }
      - { name: movedId, type: integer }
    relations: [{ name: moved, from: movedId, entity: Moved, to: id, target: kids }]
`);

const shelves = schemaOf(`
entities:
  - name: Shelves
    primaryKey: [id]
    properties: [{ name: id, type: integer, autoIncrement: true }]
  - name: Books
    primaryKey: [id]
    properties:
      - { name: id, type: integer, autoIncrement: true }
      - { name: shelfId, type: integer, required: true }
    relations: [{ name: shelf, from: shelfId, entity: Shelves, to: id, target: books, weak: true }]
`);

const animals = loadSchema({
  domain: {
    version: '1.0.0',
    entities: [
      {
        name: 'Cats',
        primaryKey: ['id'],
        properties: [{ name: 'id', type: 'integer', autoIncrement: true }],
      },
      {
        name: 'Dogs',
        primaryKey: ['number'],
        properties: [
          { name: 'number', type: 'integer', autoIncrement: true },
          { name: 'catId', type: 'integer' },
        ],
        relations: [
          { name: 'cat', from: 'catId', entity: 'Cats', to: 'id', target: 'dogs', weak: true },
        ],
      },
    ],
  },
  infrastructure: {
    mappings: [
      {
        name: 'default',
        entities: [
          { name: 'Cats', mapping: 'Animals' },
          { name: 'Dogs', mapping: 'Animals', properties: [{ name: 'number', mapping: 'id' }] },
        ],
      },
    ],
    sources: [{ name: 'default', dialect: 'MariaDB', mapping: 'default', connection: {} }],
    stages: [{ name: 'default', sources: [{ name: 'default' }] }],
  },
});

const trigger =
  'CREATE TRIGGER moves BEFORE INSERT ON Moved FOR EACH ROW SET NEW.id = IF(NEW.a = 15, 500, NEW.id)';

function describeTriggers(dialect: DialectName): void {
  let stage: MariadbStage;
  afterEach(() => stage.close());

  const refused = (rows: readonly object[]) =>
    expect(stage.import({ entities: [{ entity: 'Moved', rows }] })).rejects.toMatchObject({
      problem: {
        code: 'refused-by-database',
        detail: expect.stringMatching(/^A trigger or a rule .*, or stored them elsewhere\.$/),
      },
    });

  test('no other row gets the nested rows if a trigger sets a key', async () => {
    stage = await openMariadbStage(schema, dialect);
    await stage.sql(trigger);
    const kids = [{}];
    await stage.import({ entities: [{ entity: 'Moved', rows: [{ a: 1, kids }] }] });
    await refused([{ a: 15, kids }]);
    // The last key that the session has generated is that of the first row.
    await refused([
      { a: 2, kids },
      { a: 15, b: 1, kids },
    ]);
    await refused([
      { a: 2, kids },
      { a: 15, kids },
    ]);
    await refused([
      { a: 15, kids },
      { a: 3, kids },
    ]);
    await stage.import({ entities: [{ entity: 'Moved', rows: [{ a: 15 }] }] });
    expect(await stage.rows('SELECT movedId FROM Kids')).toEqual([[1]]);
    expect(await stage.rows('SELECT a FROM Moved ORDER BY a')).toEqual([[1], [15]]);
  });
}

function describeLaterKeys(dialect: DialectName): void {
  let stage: MariadbStage;
  afterEach(() => stage.close());

  const listeners = [{ name: 'any', on: ['insert' as const], after: 'true' }];
  const document = {
    entities: [
      { entity: 'Shelves', rows: [{ books: [{}] }] },
      { entity: 'Books', rows: [{ id: 1000, shelfId: 5 }] },
    ],
  };

  test('are not generated before, even if those do not fit into the column of the foreign key', async () => {
    stage = await openMariadbStage({ ...shelves, listeners }, dialect);
    await stage.sql('ALTER TABLE Books MODIFY shelfId TINYINT NOT NULL');
    await stage.import(document);
    expect(await stage.rows('SELECT id, shelfId FROM Books ORDER BY id')).toEqual([
      [1000, 5],
      [1001, 1],
    ]);
  });

  test('are generated without a row to try them if the table could not take it back', async () => {
    stage = await openMariadbStage({ ...shelves, listeners }, dialect);
    await stage.sql('ALTER TABLE Books ENGINE = MyISAM');
    await stage.import(document);
    expect(await stage.rows('SELECT id, shelfId FROM Books ORDER BY id')).toEqual([
      [1, 1],
      [1000, 5],
    ]);
  });

  test('are generated after those of rows beside them also in such a table', async () => {
    stage = await openMariadbStage(shelves, dialect);
    await stage.sql('ALTER TABLE Books ENGINE = MyISAM');
    await stage.import({ entities: [{ entity: 'Shelves', rows: [{ books: [{}, { id: 5 }] }] }] });
    expect(await stage.rows('SELECT id, shelfId FROM Books ORDER BY id')).toEqual([
      [5, 1],
      [6, 1],
    ]);
  });

  test('are not generated before if another entity of the table has another name for its key', async () => {
    stage = await openMariadbStage(animals, dialect);
    const cats = [{ dogs: [{ number: 2 }] }];
    await stage.import({ entities: [{ entity: 'Cats', rows: cats }] });
    expect(await stage.rows('SELECT id, catId FROM Animals ORDER BY id')).toEqual([
      [2, 3],
      [3, null],
    ]);
  });

  test('are generated for an account that may only insert', async () => {
    stage = await openMariadbStage(shelves, dialect);
    const user = `u${randomUUID().replaceAll('-', '').slice(0, 20)}`;
    await stage.sql(
      `CREATE USER ${user}@'%' IDENTIFIED BY 'secret'; ` +
        `GRANT INSERT, CREATE TEMPORARY TABLES ON ${stage.connection.database}.* TO ${user}@'%'`,
    );
    const rows = [{ shelfId: 1 }, { id: 5, shelfId: 2 }];
    try {
      const account = { user, password: 'secret' };
      await stage.importAs(account, { entities: [{ entity: 'Books', rows }] });
    } finally {
      await stage.sql(`DROP USER ${user}@'%'`);
    }
    expect(await stage.rows('SELECT id, shelfId FROM Books ORDER BY id')).toEqual([
      [5, 2],
      [6, 1],
    ]);
  });

  test('are generated without preparing a savepoint, which MySQL refuses', async () => {
    stage = await openMariadbStage({ ...shelves, listeners }, dialect);
    const proxy = await startFaultyProxy(stage.connection);
    const { host } = stage.connection;
    try {
      await stage.importAs({ host, port: proxy.port }, document);
    } finally {
      await proxy.close();
    }
    const isOfSavepoint = (text: string) => text.includes('SAVEPOINT rowgate_trial');
    expect(proxy.commands.filter(isOfSavepoint)).toHaveLength(2);
    expect(proxy.prepared.filter(isOfSavepoint)).toEqual([]);
  });

  test('may collide if the database refuses a row of that key, which nothing else notices', async () => {
    stage = await openMariadbStage({ ...shelves, listeners }, dialect);
    await stage.sql(
      'CREATE TRIGGER counted BEFORE INSERT ON Books FOR EACH ROW ' +
        "IF NEW.shelfId = 0 THEN SIGNAL SQLSTATE '45000'; END IF",
    );
    await stage.import(document);
    expect(await stage.rows('SELECT id, shelfId FROM Books ORDER BY id')).toEqual([
      [1, 1],
      [1000, 5],
    ]);
  });
}

for (const dialect of ['MariaDB', 'MySQL'] satisfies DialectName[]) {
  describeMariadb(`triggers in imports on ${dialect}`, () => describeTriggers(dialect));
  describeMariadb(`later keys in imports on ${dialect}`, () => describeLaterKeys(dialect));
}
