/** Finds foreign keys that refer to a table of another schema with the name of the right one. */
import type { DdlDialect } from '../dialects/ddl-dialect.js';
import { storedTable } from '../dialects/table-name.js';
import { columnKeyOf } from '../ddl/columns-of.js';
import type { ExistingTable } from '../ddl/existing.js';
import type { FindTable } from '../ddl/find-table.js';
import type { Mapping, MappingEntity, Relation } from '../schema/model.js';
import type { Drift } from './find-drift.js';

interface Context {
  readonly mapping: Mapping;
  readonly ddl: DdlDialect;
  readonly find: FindTable;
}

/** The relations of an entity whose foreign key checks another table than the one that they lead to. */
export function referenceDrift(
  entity: MappingEntity,
  table: ExistingTable,
  { mapping, ddl, find }: Context,
): Drift[] {
  return entity.relations.flatMap((relation) => {
    const other = mapping.entities.find(({ name }) => name === relation.entity);
    const target =
      relation.type !== 'manyToOne' &&
      !relation.weak &&
      other &&
      find(storedTable(ddl, other.mapping));
    if (!target) return [];
    const columns = columnText(entity, relation, ddl);
    const keys = table.foreignKeys.filter(
      (key) =>
        key.table === target.name && key.columns.map(ddl.columnKey).sort().join('\0') === columns,
    );
    const [wrong] = keys;
    if (!wrong || keys.some(({ schema }) => schema === target.schema)) return [];
    const place = `${entity.name}.${relation.name}`;
    const why = `The foreign key ${wrong.name} refers to ${wrong.schema}.${wrong.table}, but the relation leads to ${target.schema}.${target.name}.`;
    return [{ place, why }];
  });
}

function columnText(entity: MappingEntity, { from }: Relation, ddl: DdlDialect): string {
  const keys = from.flatMap((name) => {
    const property = entity.properties.find((each) => each.name === name);
    return property ? [columnKeyOf(property, ddl)] : [];
  });
  return keys.sort().join('\0');
}
