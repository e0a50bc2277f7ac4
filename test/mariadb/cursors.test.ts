/** Cursors on MariaDB: rows are fetched in windows, between other statements. */
import { expect, test } from 'vitest';
import { RowBytes } from '../../src/engine/index.js';
import type { Lease } from '../../src/workers/database/lease.js';
import { readTexts } from '../../src/workers/database/read-texts.js';
import { keepRows, type Statement, type Step } from '../../src/workers/database/statement.js';
import { column, mysqlSource, onLease, sql } from './mysql-source.js';
import { describeSmallTable } from './small-table.js';

describeSmallTable('cursors', '', (table) => {
  const { withLease } = table;

  test('reads through a cursor in windows, beside other statements', () =>
    withLease(async (lease) => {
      const seen: string[] = [];
      let hasMore = true;
      const window = (statement: Statement | undefined, rowsMax: number): [Step, RowBytes] => {
        const rows = new RowBytes();
        const complete = (_count: number, more: boolean): void => {
          hasMore = more;
        };
        return [
          { statement, rowsMax, isCursor: true, sink: { ...keepRows(rows), complete } },
          rows,
        ];
      };
      const [first, rows] = window(sql('SELECT seq FROM seq_1_to_1000 WHERE seq > ?', '0'), 300);
      await lease.run([first]);
      seen.push(...column(rows));
      expect([seen.length, hasMore]).toEqual([300, true]);
      while (hasMore) {
        const [step, more] = window(undefined, 300);
        const beside = new RowBytes();
        const other = { statement: sql('SELECT 7'), rowsMax: 0, sink: keepRows(beside) };
        await lease.run([other, step]);
        expect(column(beside)).toEqual(['7']);
        seen.push(...column(more));
      }
      expect(seen).toEqual(Array.from({ length: 1000 }, (_, index) => String(index + 1)));
    }));

  test('reads every row through a cursor whose statement has caused warnings', () =>
    withLease(async (lease) => {
      const rows = new RowBytes();
      let hasMore = true;
      const complete = (_count: number, more: boolean): void => {
        hasMore = more;
      };
      const sink = { ...keepRows(rows), complete };
      // The server uses the number at the start of the string, and warns.
      let statement: Statement | undefined = sql('SELECT seq, ? + 0 FROM seq_1_to_1000', '1a');
      while (hasMore) {
        await lease.run([{ statement, rowsMax: 300, isCursor: true, sink }]);
        statement = undefined;
      }
      expect(rows).toHaveLength(1000);
    }));

  test('is not disturbed by its statement without a cursor, nor disturbs it', () =>
    withLease(async (lease) => {
      const statement = sql('SELECT seq FROM seq_1_to_1000');
      const windows = new RowBytes();
      const whole = new RowBytes();
      const sink = keepRows(windows);
      await lease.run([{ statement, rowsMax: 300, isCursor: true, sink }]);
      await lease.run([{ statement, rowsMax: 0, sink: keepRows(whole) }]);
      await lease.run([{ statement: undefined, rowsMax: 300, isCursor: true, sink }]);
      expect([windows.length, whole.length]).toEqual([600, 1000]);
    }));

  test('closes a cursor that was not read to its end with the lease', async () => {
    const statement = sql('SELECT seq FROM seq_1_to_100000');
    const openCursor = (lease: Lease) =>
      lease.run([{ statement, rowsMax: 10, isCursor: true, sink: keepRows(new RowBytes()) }]);
    await withLease(openCursor);
    await withLease(async (lease) => {
      const found = await lease.fetch(sql('SELECT @@autocommit'));
      expect(column(found)).toEqual(['1']);
      expect(await lease.fetch(statement)).toHaveLength(100_000);
      await openCursor(lease);
      await openCursor(lease);
      expect(lease.connection.isInTransaction).toBe(true);
    });
  });

  test('leaves no prepared statement behind if none are kept', async () => {
    const own = mysqlSource(table.database.connection, { preparedStatements: false });
    const counted = async (lease: Lease, name: string) => {
      const status = sql(`SHOW SESSION STATUS LIKE '${name}'`);
      const [[, count] = []] = await readTexts(lease, status);
      return Number(count);
    };
    try {
      await onLease(own, async (lease) => {
        for (const text of ['SELECT seq FROM seq_1_to_1000', 'SELECT seq, 1 FROM seq_1_to_1000']) {
          const sink = keepRows(new RowBytes());
          await lease.run([{ statement: sql(text), rowsMax: 10, isCursor: true, sink }]);
        }
        await lease.rollBack();
        const prepared = await counted(lease, 'Com_stmt_prepare');
        const closed = await counted(lease, 'Com_stmt_close');
        expect(prepared - closed).toBe(0);
      });
    } finally {
      await own.close();
    }
  });

  test('a cursor on a statement that cannot have one returns all rows at once', () =>
    withLease(async (lease) => {
      const rows = new RowBytes();
      let hasMore: boolean | undefined;
      const complete = (_count: number, more: boolean): void => {
        hasMore = more;
      };
      const statement = sql(
        'INSERT INTO t VALUES (1, NULL, 1), (2, NULL, 1), (3, NULL, 1) RETURNING id',
      );
      await lease.run([
        { statement, rowsMax: 2, isCursor: true, sink: { ...keepRows(rows), complete } },
      ]);
      expect(column(rows)).toEqual(['1', '2', '3']);
      expect(hasMore).toBe(false);
    }));
});
