/** Imports under a filter into tables whose triggers change the keys of rows, or leave them out. */
import { afterEach, describe, expect, test } from 'vitest';
import { loadSchema } from '../../src/engine/index.js';
import { openMariadbStage } from '../mariadb/transfer-stage.js';
import { describeMariadb } from '../support/mariadb.js';
import { openStage } from './import-stage.js';
import type { ImportStage, OpenStage } from './import-suite.js';

const schema = loadSchema({
  domain: {
    version: '1.0.0',
    entities: [
      {
        name: 'Tasks',
        primaryKey: ['id'],
        properties: [
          { name: 'id', type: 'integer' },
          { name: 'realm', length: 9 },
        ],
      },
      {
        name: 'Visits',
        primaryKey: ['at'],
        properties: [
          { name: 'at', type: 'dateTime' },
          { name: 'realm', length: 9 },
        ],
      },
    ],
  },
  infrastructure: {
    mappings: [
      {
        name: 'default',
        entities: ['Tasks', 'Visits'].map((name) => ({ name, filter: 'realm == "main"' })),
      },
    ],
    sources: [{ name: 'default', dialect: 'PostgreSQL', mapping: 'default', connection: {} }],
    stages: [{ name: 'default', sources: [{ name: 'default' }] }],
  },
});

/** Opens the stage with a trigger before inserts: its body in the language of the database. */
type OpenTriggered = (body: string) => Promise<ImportStage>;

const triggered = (open: OpenStage, statements: (body: string) => readonly string[]) => {
  return async (body: string) => {
    const stage = await open(schema);
    for (const statement of statements(body)) await stage.rows(statement);
    return stage;
  };
};

const row = (id: number, realm = 'main') => ({ id, realm });

function describeChangedKeys(open: OpenTriggered, changeKey: string, roundKey: string): void {
  let stage: ImportStage;
  afterEach(() => stage.close());

  const importRows = (...rows: readonly object[]) =>
    stage.import({ entities: [{ entity: 'Tasks', rows }] });
  const stored = () => stage.rows('SELECT id FROM Tasks ORDER BY id');

  test('refuse rows that are not found again, whether they are outside the filter or not', async () => {
    stage = await open(changeKey);
    await importRows(row(1), row(2));
    for (const realm of ['main', 'other']) {
      await expect(importRows(row(3), row(15, realm), row(4))).rejects.toMatchObject({
        problem: {
          code: 'refused-by-database',
          detail:
            'A trigger or a rule of the database left out rows of entity Tasks (1 of 3), or stored them elsewhere.',
          place: 'entities[0].rows[1]',
        },
      });
    }
    expect(await stored()).toEqual([[1], [2]]);
  });

  test('find rows whose keys the column rounds', async () => {
    stage = await open(changeKey);
    await stage.rows(roundKey);
    const importVisit = (at: string, realm: string) =>
      stage.import({ entities: [{ entity: 'Visits', rows: [{ at, realm }] }] });
    await importVisit('2026-11-30T10:00:00.600Z', 'main');
    await expect(importVisit('2026-11-30T11:00:00.600Z', 'other')).rejects.toMatchObject({
      problem: { code: 'row-outside-view' },
    });
    expect(await stage.rows('SELECT realm FROM Visits')).toEqual([['main']]);
  });

  test('name the row outside the filter also if another one is not found', async () => {
    stage = await open(changeKey);
    await expect(importRows(row(15), row(3), row(4, 'other'))).rejects.toMatchObject({
      problem: { code: 'row-outside-view', place: 'entities[0].rows[2]' },
    });
    expect(await stored()).toEqual([]);
  });
}

describe('imports under a filter on PostgreSQL', () => {
  const open = triggered(
    async (own) => {
      const stage = await openStage(own);
      return { ...stage, rows: async (text) => (await stage.sql(text)).map(Object.values) };
    },
    (body) => [
      `CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; RETURN NEW; END $$`,
      'CREATE TRIGGER changes BEFORE INSERT ON Tasks FOR EACH ROW EXECUTE FUNCTION change()',
    ],
  );
  const changeKey = 'IF NEW.id = 15 THEN NEW.id := 500; END IF';
  describeChangedKeys(open, changeKey, 'ALTER TABLE Visits ALTER at TYPE timestamptz(0)');

  const leaveOut = 'IF NEW.id = 3 THEN RETURN NULL; END IF';

  test('accept that a trigger leaves out rows', async () => {
    const stage = await open(leaveOut);
    try {
      const rows = [row(1), row(3), row(4)];
      const counts = await stage.import({ entities: [{ entity: 'Tasks', rows }] });
      expect(counts).toEqual([{ entity: 'Tasks', rows: 2 }]);
    } finally {
      await stage.close();
    }
  });

  test('refuse a changed key also if another row is left out', async () => {
    const stage = await open(`${leaveOut}; ${changeKey}`);
    try {
      const rows = [row(1), row(3), row(15, 'other')];
      await expect(stage.import({ entities: [{ entity: 'Tasks', rows }] })).rejects.toMatchObject({
        problem: { code: 'refused-by-database' },
      });
    } finally {
      await stage.close();
    }
  });
});

describeMariadb('imports under a filter', () => {
  describe.each(['MariaDB', 'MySQL'] as const)('the dialect %s', (dialect) => {
    const open = triggered(
      (own) => openMariadbStage(own, dialect),
      (body) => [`CREATE TRIGGER changes BEFORE INSERT ON Tasks FOR EACH ROW ${body}`],
    );
    describeChangedKeys(
      open,
      'SET NEW.id = IF(NEW.id = 15, 500, NEW.id)',
      'ALTER TABLE Visits MODIFY at datetime',
    );
  });
});
