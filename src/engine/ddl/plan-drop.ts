/**
 * What removes a mapping's tables from a database: first their foreign keys, so that cycles do not
 * matter, then the tables in the reverse of their order. Tables that are not there are passed over.
 */
import { collectTables } from './collect-tables.js';
import { ddlDialectOf } from '../dialects/ddl-dialects.js';
import { IDEMPOTENCY_TABLE } from './idempotency-table.js';
import type { DdlRequest } from './plan-push.js';
import { dropForeignKey, dropTable } from './statements.js';
import type { DdlPlan } from './step.js';

/** Plans the statements. */
export function planDrop(request: DdlRequest): DdlPlan {
  const dialect = ddlDialectOf(request.dialect);
  const { tables } = collectTables(request.mapping, dialect);
  const found = new Map(request.existing.map((table) => [table.name, table]));
  const present = tables.filter((table) => found.has(table.key)).reverse();
  const foreignKeys = present.flatMap((table) =>
    (found.get(table.key)?.foreignKeys ?? []).map((key) =>
      dropForeignKey(table, key.name, dialect),
    ),
  );
  const own = found.has(IDEMPOTENCY_TABLE) ? [{ name: IDEMPOTENCY_TABLE }] : [];
  return {
    steps: [...foreignKeys, ...[...present, ...own].map((table) => dropTable(table, dialect))],
    remarks: [],
  };
}
