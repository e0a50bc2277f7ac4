/** Values that nested rows of an import compute from the key of their parent, on each database. */
import { afterEach, describe, expect, test } from 'vitest';
import { openMariadbStage } from '../mariadb/transfer-stage.js';
import { describeMariadb } from '../support/mariadb.js';
import { openStage, Refused, schemaOf } from './import-stage.js';
import type { ImportStage, OpenStage } from './import-suite.js';

const schema = schemaOf(`
entities:
  - name: Orders
    primaryKey: [id]
    properties:
      - { name: id, type: integer, autoIncrement: true }
      - { name: title, length: 20 }
  - name: Orders.lines
    primaryKey: [orderId, number]
    properties:
      - { name: orderId, type: integer, required: true }
      - { name: number, type: integer, required: true }
      - { name: code, length: 20, default: '\`\${orderId}-\${number}\`' }
      - { name: label, length: 40, default: 'concat("line ", code, " of ", orderId)' }
      - { name: twice, type: integer, default: orderId * 2 }
      - { name: stamp, length: 20, writeValue: 'concat(stamp, "@", orderId)' }
    relations:
      - { name: order, from: orderId, entity: Orders, to: id, target: lines }
`);

function describeDefaults(open: OpenStage): void {
  let stage: ImportStage;
  afterEach(() => stage.close());

  test('are computed from a key in the document', async () => {
    stage = await open(schema);
    const lines = [{ number: 1 }, { number: 2, code: 'own', twice: 1, stamp: 's' }];
    const rows = [
      { id: 7, title: 'a', lines },
      { id: 8, lines: [{ number: 1, label: null }] },
    ];
    expect(await stage.import({ entities: [{ entity: 'Orders', rows }] })).toEqual([
      { entity: 'Orders', rows: 2 },
      { entity: 'Orders.lines', rows: 3 },
    ]);
    expect(await linesOf(stage)).toEqual([
      [7, 1, '7-1', 'line 7-1 of 7', 14, null],
      [7, 2, 'own', 'line own of 7', 1, 's@7'],
      [8, 1, '8-1', null, 16, null],
    ]);
  });

  test('are refused if the key is generated, and nothing is stored', async () => {
    stage = await open(schema);
    const lines = [{ number: 1, code: 'own', label: 'own', twice: 1 }];
    const rows = [{ id: 7 }, { title: 'b', lines }];
    const refused = stage.import({ entities: [{ entity: 'Orders', rows }] });
    await expect(refused).rejects.toBeInstanceOf(Refused);
    await expect(refused).rejects.toMatchObject({
      problem: { code: 'import-invalid', place: 'entities[0].rows[1].lines[0].orderId' },
    });
    expect(await stage.rows('SELECT id FROM Orders')).toEqual([]);
  });
}

async function linesOf(stage: ImportStage): Promise<readonly unknown[][]> {
  return stage.rows(
    'SELECT orderId, number, code, label, twice, stamp FROM Orders_lines ORDER BY orderId, number',
  );
}

describe('values computed from the key of a parent on PostgreSQL', () => {
  describeDefaults(async (base) => {
    const stage = await openStage(base);
    const rows = async (text: string) => (await stage.sql(text)).map((row) => Object.values(row));
    return { ...stage, rows };
  });
});

describeMariadb('values computed from the key of a parent', () => {
  describe.each(['MariaDB', 'MySQL'] as const)('the dialect %s', (dialect) => {
    describeDefaults((base) => openMariadbStage(base, dialect));
  });
});
