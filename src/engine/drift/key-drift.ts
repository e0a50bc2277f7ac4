/** Finds keys of entities that their tables lack. */
import type { DdlDialect } from '../dialects/ddl-dialect.js';
import { columnKeyOf, columnKeysOf, sortedText } from '../ddl/columns-of.js';
import type { ExistingTable } from '../ddl/existing.js';
import { hasColumn } from '../schema/derive-property.js';
import type { MappingEntity } from '../schema/model.js';
import type { Drift } from './find-drift.js';

/**
 * The primary and the unique key of an entity that is written, if no key of the table has the same columns. A key
 * with a column that the table lacks is left out, because the column is reported.
 */
export function keyDrift(entity: MappingEntity, table: ExistingTable, ddl: DdlDialect): Drift[] {
  if (entity.view || table.kind !== 'table') return [];
  const columns = new Set(table.columns.map(({ name }) => ddl.columnKey(name)));
  const textOf = (names: readonly string[]) => sortedText(names.map(ddl.columnKey));
  // A property with a fixed value may be part of the table's key only.
  const fixed = new Set(
    entity.properties
      .filter((each) => each.key !== undefined)
      .map((each) => columnKeyOf(each, ddl)),
  );
  const heldKeys = [table.primaryKey ?? [], ...table.uniqueKeys].map((key) =>
    key.map(ddl.columnKey),
  );
  const held = new Set(
    heldKeys.flatMap((key) => [key, key.filter((each) => !fixed.has(each))]).map(sortedText),
  );
  const deferrable = new Set(table.deferrableKeys?.map(textOf));
  const properties = entity.properties.filter(hasColumn);
  return (['primaryKey', 'uniqueKey'] as const).flatMap((kind): Drift[] => {
    const key = columnKeysOf({ properties }, entity[kind], ddl);
    const isComparable =
      key.length === entity[kind].length && key.every((each) => columns.has(each));
    const text = sortedText(key);
    if (key.length === 0 || !isComparable || held.has(text)) return [];
    const why = deferrable.has(text)
      ? `The key of the table for its ${kind} (${entity[kind].join(', ')}) is deferrable, so upserts fail.`
      : `The table has no key for its ${kind} (${entity[kind].join(', ')}), so upserts fail or add duplicates.`;
    return [{ place: entity.name, why }];
  });
}
