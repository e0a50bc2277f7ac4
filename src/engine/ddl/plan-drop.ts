/**
 * Plans the removal of a mapping's tables: first their foreign keys, so that cycles do not matter,
 * then the tables in reverse order, then their enumerated types. Missing tables are ignored.
 */
import { dialectOf } from '../dialects/dialects.js';
import { collectTables } from './collect-tables.js';
import { enumSteps } from './enum-columns.js';
import { findTableIn } from './find-table.js';
import { type DdlPlan, IDEMPOTENCY_TABLE } from './table.js';
import type { DdlRequest } from './plan-push.js';
import { dropForeignKey, dropTable } from './statements.js';

/** Plans the statements. */
export function planDrop(request: DdlRequest): DdlPlan {
  const dialect = dialectOf(request.dialect).ddl;
  const { tables } = collectTables(request);
  const find = findTableIn(request.existing);
  const present = tables.filter((table) => find(table.stored) !== undefined).reverse();
  const foreignKeys = present.flatMap((table) =>
    (find(table.stored)?.foreignKeys ?? []).map((key) => dropForeignKey(table, key.name)),
  );
  const own = find({ schema: undefined, name: IDEMPOTENCY_TABLE })
    ? [{ name: IDEMPOTENCY_TABLE, dialect }]
    : [];
  return {
    steps: [
      ...foreignKeys,
      ...[...present, ...own].map(dropTable),
      ...enumSteps(
        'drop',
        present.flatMap(({ columns }) => columns),
        dialect,
      ),
    ],
    remarks: [],
  };
}
