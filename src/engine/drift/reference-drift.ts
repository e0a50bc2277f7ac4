/**
 * Finds relations whose foreign keys refer to a table of another schema with the name of the right one, and
 * relations between columns that the database cannot compare.
 */
import type { DdlDialect } from '../dialects/ddl-dialect.js';
import { storedTable } from '../dialects/table-name.js';
import { columnKeysOf, columnNamed, sortedText } from '../ddl/columns-of.js';
import type { ExistingTable } from '../ddl/existing.js';
import type { FindTable } from '../ddl/find-table.js';
import type { Mapping, MappingEntity } from '../schema/model.js';
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
  context: Context,
): Drift[] {
  const { ddl } = context;
  return relatedTables(entity, context).flatMap(({ relation, target }) => {
    if (relation.weak) return [];
    const columns = sortedText(columnKeysOf(entity, relation.from, ddl));
    const keys = table.foreignKeys.filter(
      (key) => key.table === target.name && sortedText(key.columns.map(ddl.columnKey)) === columns,
    );
    const [wrong] = keys;
    if (!wrong || keys.some(({ schema }) => schema === target.schema)) return [];
    const place = `${entity.name}.${relation.name}`;
    const why = `The foreign key ${wrong.name} refers to ${wrong.schema}.${wrong.table}, but the relation leads to ${target.schema}.${target.name}.`;
    return [{ place, why }];
  });
}

/** The relations of an entity between columns whose collations cannot be mixed. */
export function collationDrift(
  entity: MappingEntity,
  table: ExistingTable,
  context: Context,
): Drift[] {
  const { ddl } = context;
  return relatedTables(entity, context).flatMap(({ relation, other, target }) => {
    const { name, from, to } = relation;
    return from.flatMap((property, index) => {
      const [ownName = ''] = columnKeysOf(entity, [property], ddl);
      const [keyName = ''] = columnKeysOf(other, [to[index] ?? ''], ddl);
      const own = columnNamed(table, ownName, ddl);
      const key = columnNamed(target, keyName, ddl);
      if (!own?.collation || !key?.collation || canMix(own.collation, key.collation)) return [];
      const columns = `${table.name}.${own.name} (${own.collation}) and ${target.name}.${key.name} (${key.collation})`;
      const why = `The columns ${columns} have different collations, so only 'include' can follow the relation.`;
      return [{ place: `${entity.name}.${name}`, why }];
    });
  });
}

/** The relations to one row, with the entities and the tables to which they lead. */
function relatedTables({ relations }: MappingEntity, { mapping, ddl, find }: Context) {
  return relations.flatMap((relation) => {
    const other = mapping.entities.find(({ name }) => name === relation.entity);
    const target = other && find(storedTable(ddl, other.mapping));
    return target && relation.type !== 'manyToOne' ? [{ relation, other, target }] : [];
  });
}

/** A character set is converted to a larger one, and a binary collation takes precedence (manual, 10.8.4). */
function canMix(one: string, other: string): boolean {
  const characters = (collation: string) => collation.split('_', 1)[0];
  const isBinary = [one, other].some((collation) => collation.endsWith('_bin'));
  return one === other || isBinary || characters(one) !== characters(other);
}
