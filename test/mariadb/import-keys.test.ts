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

for (const dialect of ['MariaDB', 'MySQL'] satisfies DialectName[]) {
  describeMariadb(`triggers in imports on ${dialect}`, () => describeTriggers(dialect));
}
