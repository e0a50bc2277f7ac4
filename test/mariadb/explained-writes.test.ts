/** Writes that MariaDB refuses: the error names the row and the key. */
import { expect, test } from 'vitest';
import type { Statement } from '../../src/workers/database/statement.js';
import { sql } from './mysql-source.js';
import { describeSmallTable } from './small-table.js';

describeSmallTable('writes that fail', '', ({ withLease, query, stored, insert }) => {
  const many = (rows: readonly (readonly [number, string | null])[], table = 't'): Statement => ({
    text: `INSERT INTO t VALUES ${rows.map(() => '(?, ?, 1)').join()}`,
    parameters: rows.flatMap(([id, name]) => [String(id), name]),
    table,
    rowByRow: {
      rows: rows.length,
      alone: (row) => insert(...(rows[row] ?? [0, null])),
    },
  });

  test('reports the failed row, and the columns of its key', async () => {
    await query("INSERT INTO t VALUES (1, 'a', 1)");
    const taken = many([
      [2, 'b'],
      [3, 'a'],
      [4, 'd'],
    ]);
    const violation = { table: 't', columns: ['name'], values: [] };
    const fault = { code: 'unique-violation', sqlstate: '23000', violation };
    for (const [statements, statement] of [
      [[taken], 0],
      [[insert(5), taken, insert(6)], 1],
    ] as const) {
      await withLease(async (lease) => {
        await expect(lease.write(statements, true)).rejects.toMatchObject({
          ...fault,
          at: { statement, row: 1 },
        });
      });
      expect(await stored()).toEqual([1]);
    }
    await withLease(async (lease) => {
      await lease.write([insert(10)], false);
      const failing = lease.write([insert(11), taken], true);
      await expect(failing).rejects.toMatchObject({ ...fault, at: { statement: 1, row: 1 } });
    });
    await withLease(async (lease) => {
      await lease.write([insert(12)], true);
    });
    expect(await stored()).toEqual([1, 12]);
  });

  test('reports the column that must not be null', () =>
    withLease(async (lease) => {
      const statement = { ...sql('INSERT INTO t VALUES (1, NULL, NULL)'), table: 't' };
      await expect(lease.write([statement], true)).rejects.toMatchObject({
        code: 'not-null-violation',
        violation: { table: 't', columns: ['n'] },
        at: { statement: 0, row: 0 },
      });
    }));
});
