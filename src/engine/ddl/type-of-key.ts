/** Gives columns that refer to others the types of those, because MySQL and MariaDB refuse foreign keys between different ones. */
import type { ColumnDefinition } from '../dialects/ddl-dialect.js';
import { columnNamed } from './columns-of.js';
import type { FindTable } from './find-table.js';
import type { TableDefinition } from './table.js';

/**
 * The tables whose columns have the types of the columns that they refer to: those that exist, such as `bigint unsigned`,
 * or those of new ones, which may refer to others themselves. A string may have another length than that of a new one.
 */
export function withTypesOfKeys(
  tables: readonly TableDefinition[],
  find: FindTable,
): readonly TableDefinition[] {
  const byKey = new Map(tables.map((table) => [table.key, table]));

  function typeOf(
    { dialect, foreignKeys }: TableDefinition,
    column: ColumnDefinition,
    path: readonly ColumnDefinition[] = [],
  ): string | undefined {
    if (column.autoIncrement || path.includes(column)) return undefined;
    for (const { columns, table, targets } of foreignKeys) {
      const key = targets[columns.findIndex((each) => each.key === column.key)]?.key ?? '';
      const present = find(table.stored);
      const existing = present && columnNamed(present, key, dialect);
      if (existing) return dialect.typeOfReference(existing);
      const owner = byKey.get(table.key);
      const target = owner?.columns.find((each) => each.key === key);
      if (!owner || !target) continue;
      const type = typeOf(owner, target, [...path, column]);
      if (type !== undefined) return type;
      if (target.type !== 'string') return dialect.columnType({ ...target, autoIncrement: false });
    }
    return undefined;
  }

  return tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => ({ ...column, sqlType: typeOf(table, column) })),
  }));
}
