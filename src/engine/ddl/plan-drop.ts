/**
 * Plans the removal of a mapping's tables: first their foreign keys, so that cycles do not matter,
 * then the tables in reverse order, then their enumerated types. Missing tables are ignored.
 */
import { dialectOf } from '../dialects/dialects.js';
import { collectTables } from './collect-tables.js';
import { enumSteps } from './enum-columns.js';
import { EngineError } from '../errors.js';
import { type ExistingTable, placeOf } from './existing.js';
import { changeableTables, findTableIn } from './find-table.js';
import { type DdlPlan, IDEMPOTENCY_TABLE } from './table.js';
import type { DdlRequest } from './plan-push.js';
import { dropForeignKey, dropTable } from './statements.js';

/** Plans the statements. Throws an EngineError if a table that stays refers to one of them. */
export function planDrop(request: DdlRequest): DdlPlan {
  const dialect = dialectOf(request.dialect).ddl;
  const find = findTableIn(request.existing);
  const { tables, remarks } = changeableTables(collectTables(request).tables, find, 'drop');
  const present = tables.filter((table) => find(table.stored) !== undefined).reverse();
  refuseReferred(request.existing, new Set(present.map((table) => find(table.stored))));
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
    remarks,
  };
}

/** Some databases would have dropped foreign keys and other tables before they refuse to drop the referred one. */
function refuseReferred(
  existing: readonly ExistingTable[],
  dropped: ReadonlySet<ExistingTable | undefined>,
): void {
  const names = new Set([...dropped].map((table) => table && placeOf(table)));
  const keys = existing
    .filter((table) => !dropped.has(table) && table.kind !== 'partition')
    .flatMap((table) => table.foreignKeys.map((key) => ({ table, key })))
    .filter(({ key }) => names.has(placeOf({ schema: key.schema, name: key.table })));
  if (keys.length === 0) return;
  const list = keys.map(({ table, key }) => `${key.name} of ${placeOf(table)} to ${key.table}`);
  const message = `Tables that stay refer to tables of the schema by foreign keys: ${list.join(', ')}.`;
  throw new EngineError('unsupported', message, { hint: 'Drop these foreign keys first.' });
}
