/**
 * Decides which columns get an enumerated type of the database: those of text enums. A column at
 * either end of a relation stays a string, because the other end may be one, and so does a column
 * in which something other than the value is stored.
 */
import type { ColumnDefinition, DdlDialect, EnumDefinition } from '../dialects/ddl-dialect.js';
import type { MappingEntity, MappingProperty } from '../schema/model.js';
import { storedTable } from '../dialects/table-name.js';
import type { DdlRequest } from './plan-push.js';
import type { DdlStep } from './table.js';

/** The enumerated type of a property's column; undefined if the column is an ordinary one. */
export type EnumOf = (
  entity: MappingEntity,
  property: MappingProperty,
) => EnumDefinition | undefined;

export function enumColumns(
  entities: readonly MappingEntity[],
  { enums, existing }: Pick<DdlRequest, 'enums' | 'existing'>,
  dialect: DdlDialect,
): EnumOf {
  // On PostgreSQL, each table has a type of its name.
  const tables = entities.map(({ mapping }) => storedTable(dialect, mapping));
  const taken = new Set([
    ...dialect.builtInTypes,
    ...[...tables, ...existing].map(({ name }) => name),
  ]);
  const isTaken = (name: string) => taken.has(dialect.storedName(name));
  const definitions = new Map(
    enums.flatMap(({ name, values }): [string, EnumDefinition][] => {
      const texts = values.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
      const isUsable = texts.length === values.length && dialect.acceptsEnum(texts);
      return isUsable
        ? [[name, { name: isTaken(name) ? `${name}_enum` : name, values: texts }]]
        : [];
    }),
  );
  const linked = new Set(entities.flatMap(linkedProperties));
  return ({ name: entity }, property) => {
    const { type, enum: name, writeValue, writeExp } = property;
    const isPlain = type === 'string' && writeValue === undefined && writeExp === undefined;
    if (!isPlain || name === undefined || linked.has(`${entity}\0${property.name}`))
      return undefined;
    return definitions.get(name);
  };
}

function linkedProperties({ name, relations }: MappingEntity): readonly string[] {
  return relations.flatMap(({ from, entity, to, through }) => [
    ...from.map((each) => `${name}\0${each}`),
    ...to.map((each) => `${entity}\0${each}`),
    ...[...(through?.from ?? []), ...(through?.to ?? [])].map(
      (each) => `${through?.entity ?? ''}\0${each}`,
    ),
  ]);
}

/**
 * The steps that create or drop the enumerated types of columns, for databases that name such types. A type that
 * something else uses is not dropped.
 */
export function enumSteps(
  verb: 'create' | 'drop',
  columns: readonly ColumnDefinition[],
  { createEnum, dropEnum }: DdlDialect,
): DdlStep[] {
  const sqlOf = verb === 'create' ? createEnum : dropEnum;
  if (!sqlOf) return [];
  const found = columns.flatMap((column) => column.enum ?? []);
  return [...new Map(found.map((each) => [each.name, each])).values()].map((definition) => ({
    description: `${verb} type ${definition.name}`,
    sql: sqlOf(definition),
  }));
}
