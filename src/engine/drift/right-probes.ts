/** Statements that the database refuses if its user lacks a right that requests need. */
import { dialectOf } from '../dialects/dialects.js';
import { quoteTable, storedTable } from '../dialects/table-name.js';
import { hasColumn } from '../schema/derive-property.js';
import type { DialectName, MappingEntity, MappingProperty } from '../schema/model.js';

/** One right on a table. */
export interface RightProbe {
  readonly right: string;
  /** The properties whose columns need it; empty if it is not a right on columns. */
  readonly properties: readonly MappingProperty[];
  /** Whether the database also refuses the other statements if the right is missing. */
  readonly isPrior?: true;
  /** A statement without an effect that needs the right on the columns of these properties. */
  sql(properties: readonly MappingProperty[]): string;
}

/** The rights that requests for an entity may need: only SELECT if it is read-only. */
export function rightProbes(entity: MappingEntity, dialect: DialectName): readonly RightProbe[] {
  const { ddl } = dialectOf(dialect);
  const table = quoteTable(ddl, entity.mapping);
  const stored = entity.properties.filter(hasColumn);
  const columns = (of: readonly MappingProperty[]) =>
    of.map(({ mapping }) => ddl.quoteName(mapping));
  const select: RightProbe = {
    right: 'SELECT',
    properties: stored,
    sql: (of) => `EXPLAIN SELECT ${columns(of).join(', ')} FROM ${table}`,
  };
  const { schema } = storedTable(ddl, entity.mapping);
  const { otherRights } = ddl;
  const prior: readonly RightProbe[] =
    schema === undefined || !otherRights
      ? []
      : [
          {
            right: `USAGE on schema ${schema}`,
            properties: [],
            isPrior: true,
            sql: () => otherRights.ofSchema(ddl.text(table)),
          },
        ];
  if (entity.view) return [...prior, select];
  const written = stored.filter(({ view, autoIncrement }) => view !== true && !autoIncrement);
  const probes: readonly RightProbe[] = [
    select,
    {
      right: 'INSERT',
      properties: written,
      sql: (of) =>
        `EXPLAIN INSERT INTO ${table} (${columns(of).join(', ')}) VALUES (${of.map(() => 'DEFAULT').join(', ')})`,
    },
    {
      right: 'UPDATE',
      properties: written.filter(({ name }) => !entity.primaryKey.includes(name)),
      sql: (of) =>
        `EXPLAIN UPDATE ${table} SET ${columns(of)
          .map((column) => `${column} = DEFAULT`)
          .join(', ')}`,
    },
  ];
  const remove = { right: 'DELETE', properties: [], sql: () => `EXPLAIN DELETE FROM ${table}` };
  const numbered = otherRights ? stored.filter(({ autoIncrement }) => autoIncrement) : [];
  const sequences = numbered.flatMap(({ name, mapping }) => {
    const column = ddl.text(ddl.storedName(mapping));
    return Object.entries(otherRights?.ofSequence ?? {}).map(
      ([right, sql]): RightProbe => ({
        right: `${right} of the sequence of ${name}`,
        properties: [],
        sql: () => sql(ddl.text(table), column),
      }),
    );
  });
  return [
    ...prior,
    ...probes.filter(({ properties }) => properties.length > 0),
    remove,
    ...sequences,
  ];
}
