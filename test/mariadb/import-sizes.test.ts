/** Large rows in imports on MariaDB and MySQL, which limit the size of a statement. */
import { afterEach, describe, expect, test } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { schemaOf } from '../workers/import-stage.js';
import { type MariadbStage, openMariadbStage } from './transfer-stage.js';

const schema = schemaOf(`
entities:
  - name: Orders
    primaryKey: [id]
    properties: [{ name: id, type: integer, autoIncrement: true }]
  - name: Orders.lines
    primaryKey: [orderId, number]
    properties:
      - { name: orderId, type: integer }
      - { name: number, type: integer }
      - { name: text, length: max }
    relations: [{ name: order, from: orderId, entity: Orders, to: id, target: lines }]
`);

describeMariadb('large rows in imports', () => {
  let stage: MariadbStage;
  afterEach(() => stage.close());

  describe.each(['MariaDB', 'MySQL'] as const)('the dialect %s', (dialect) => {
    test('nested rows that do not fit into one statement are stored', async () => {
      stage = await openMariadbStage(schema, dialect);
      const text = 'x'.repeat(1_100_000);
      const lines = [
        ...Array.from({ length: 20 }, (_, number) => ({ number, text })),
        ...Array.from({ length: 30 }, (_, number) => ({ number: 20 + number, text: 'short' })),
      ];
      await stage.import({ entities: [{ entity: 'Orders', rows: [{ lines }] }] });
      const stored = await stage.rows('SELECT COUNT(*), SUM(LENGTH(text)) FROM Orders_lines');
      expect(stored[0]?.map(Number)).toEqual([50, 20 * text.length + 30 * 5]);
    });
  });
});
