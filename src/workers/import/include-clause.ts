/** The clause by which a `bulkInsert` includes the rows that nest in others. */
import { type DataObject, type DataValue, isDataObject } from '../../engine/index.js';
import type { ImportEntity } from './import-entity.js';

/** `.include(p=>[p.details])` for rows that have details; empty where nothing nests. */
export function includeClause(entity: ImportEntity, rows: readonly DataObject[]): string {
  const nested = new Map<string, { entity: ImportEntity; rows: DataObject[] }>();
  for (const row of rows) {
    for (const name of Object.keys(row)) {
      const member = entity.member(name);
      const items = member?.kind === 'rows' ? objectsIn(row[name]) : [];
      if (member?.kind !== 'rows' || items.length === 0) continue;
      const known = nested.get(name) ?? { entity: member.nesting.entity, rows: [] };
      for (const item of items) known.rows.push(item);
      nested.set(name, known);
    }
  }
  if (nested.size === 0) return '';
  const parts = [...nested].map(([name, own]) => `p.${name}${includeClause(own.entity, own.rows)}`);
  return `.include(p=>[${parts.join(',')}])`;
}

function objectsIn(list: DataValue | undefined): readonly DataObject[] {
  const items: readonly DataValue[] = Array.isArray(list) ? list : [];
  return items.filter(isDataObject);
}
