/**
 * Collects foreign keys from relations: one for each to-one relation (`oneToMany`, `oneToOne`) that
 * is not weak. A weak relation is not enforced.
 */
import { isHeldByTarget } from '../schema/key-holder.js';
import type { MappingEntity, Relation } from '../schema/model.js';
import { isKey } from '../schema/names.js';
import type { CollectedTables } from './collect-tables.js';
import { columnsOf } from './columns-of.js';
import type { DdlDialect } from '../dialects/ddl-dialect.js';
import type { TableKeys } from './find-table.js';
import type { ForeignKeyDefinition, TableDefinition } from './table.js';
import { storedTable } from '../dialects/table-name.js';

/**
 * The same tables with their foreign keys, and a remark for each foreign key that is impossible.
 */
export function collectForeignKeys(
  entities: readonly MappingEntity[],
  tables: readonly TableDefinition[],
  { dialect, keyOf }: Pick<Context, 'dialect' | 'keyOf'>,
): CollectedTables {
  const remarks: string[] = [];
  const context = { entities, tables, dialect, keyOf };
  const withKeys = tables.map((table) => {
    const keys = entities
      .filter((entity) => keyOf(entity.mapping) === table.key)
      .flatMap((entity) => entity.relations.map((relation) => ({ entity, relation })))
      .map(({ entity, relation }) => toForeignKey(entity, relation, context));
    remarks.push(...keys.filter((key) => typeof key === 'string'));
    return { ...table, foreignKeys: distinct(keys.filter((key) => typeof key === 'object')) };
  });
  return { tables: withKeys, remarks };
}

interface Context {
  readonly entities: readonly MappingEntity[];
  readonly tables: readonly TableDefinition[];
  readonly dialect: DdlDialect;
  readonly keyOf: TableKeys;
}

/** A foreign key, a remark why it is impossible, or undefined if none is needed. */
function toForeignKey(
  entity: MappingEntity,
  relation: Relation,
  context: Context,
): ForeignKeyDefinition | string | undefined {
  if (relation.type === 'manyToOne' || relation.weak) return undefined;
  const target = context.entities.find((candidate) => candidate.name === relation.entity);
  const where = `no foreign key for ${entity.name}.${relation.name}`;
  if (target === undefined) return `${where}: ${relation.entity} is not a table of this source`;
  if (isHeldByTarget(entity, relation, target, context.entities)) return undefined;
  const key = [target.primaryKey, target.uniqueKey].find((one) => isKey(one, relation.to));
  if (!key) return `${where}: ${target.name}.${relation.to.join(', ')} is not a key by itself`;
  // The columns are in the order of the key, as MySQL requires.
  const from = key.map((name) => relation.from[relation.to.indexOf(name)] ?? name);
  const columns = definitionsOf(entity, from, context);
  const targets = definitionsOf(target, key, context);
  if (columns.length !== key.length || targets.length !== key.length) return undefined;
  const { mapping } = target;
  const stored = storedTable(context.dialect, mapping);
  const table = { name: mapping, key: context.keyOf(mapping), stored };
  return { columns, table, targets };
}

function definitionsOf(
  entity: MappingEntity,
  names: readonly string[],
  { tables, dialect, keyOf }: Context,
) {
  const key = keyOf(entity.mapping);
  const columns = tables.find((table) => table.key === key)?.columns ?? [];
  return columnsOf(entity, names, columns, dialect);
}

function distinct(keys: readonly ForeignKeyDefinition[]): readonly ForeignKeyDefinition[] {
  const textOf = ({ columns, table }: ForeignKeyDefinition) =>
    `${columns.map(({ key }) => key).join('\0')}\n${table.key}`;
  return [...new Map(keys.map((key) => [textOf(key), key])).values()];
}
