/** Keys that MariaDB and MySQL generate during an import. */
import { afterEach, expect, test } from 'vitest';
import type { DialectName } from '../../src/engine/index.js';
import { describeMariadb } from '../support/mariadb.js';
import { schemaOf } from '../workers/import-stage.js';
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
