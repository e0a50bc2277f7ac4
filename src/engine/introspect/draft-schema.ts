/**
 * Drafts a schema from the tables of a database. `docs/your-database.md` lists the rules for names.
 */
import { mayBeMapped } from '../ddl/find-table.js';
import { type ExistingTable, placeOf } from '../ddl/existing.js';
import { dialectOf } from '../dialects/dialects.js';
import type { DialectName } from '../schema/model.js';
import { draftColumns, UNREADABLE } from './draft-columns.js';
import { tableMapping } from '../ddl/mapping-names.js';
import { draftRelations, type RelatedTable } from './draft-relations.js';
import { EnumNames } from './enum-names.js';
import { withNumbersInKeys } from './flag-keys.js';
import type { DraftEntity, Remark, SchemaDraft } from './schema-draft.js';
import { UniqueNames } from './unique-names.js';
import { entityName } from './words.js';

/** The tables to draft a schema from. */
export interface DraftRequest {
  readonly tables: readonly ExistingTable[];
  readonly dialect: DialectName;
  /** If empty, the schemas in which the server looks up unqualified names. */
  readonly schemas: readonly string[];
}

/** Drafts the entities in the order of schemas and tables. */
export function draftSchema({ tables, dialect, schemas }: DraftRequest): SchemaDraft {
  const names = new UniqueNames();
  const enums = new EnumNames();
  const drafted = chosenTables(withNumbersInKeys(tables), schemas).map((table) => {
    const { byColumn, remarks } = draftColumns(table, dialect, enums);
    return { table, properties: byColumn, remarks };
  });
  const kept = drafted
    .filter(({ properties }) => properties.size > 0)
    .map((draft) => ({ ...draft, entity: names.take(nameOf(draft.table, schemas)) }));
  const entities = draftRelations(kept).map((draft) => entityOf(draft, dialect));
  const empty = drafted.filter(({ properties }) => properties.size === 0);
  const remarks = [
    ...empty.map(({ table }) => ({ place: placeOf(table), why: whyEmpty(table) })),
    ...entities.flatMap((entity) => entity.remarks),
  ];
  return { entities, enums: enums.all, remarks };
}

function whyEmpty({ columns }: ExistingTable): string {
  const isUnreadable = columns.length > 0 && columns.every((column) => column.isUnreadable);
  return isUnreadable ? UNREADABLE : 'None of its columns can be mapped.';
}

function chosenTables(
  tables: readonly ExistingTable[],
  schemas: readonly string[],
): readonly ExistingTable[] {
  const isChosen = ({ schema, isVisible }: ExistingTable): boolean =>
    schemas.length === 0 ? isVisible : schemas.includes(schema);
  return tables
    .filter((table) => mayBeMapped(table) && isChosen(table))
    .sort((one, other) => schemas.indexOf(one.schema) - schemas.indexOf(other.schema));
}

/** Tables of all schemas but the first have the name of their schema as a prefix. */
function nameOf({ schema, name }: ExistingTable, schemas: readonly string[]): string {
  const isFirst = schemas.length === 0 || schema === schemas[0];
  return isFirst ? entityName(name) : entityName(`${schema} ${name}`);
}

function entityOf(draft: RelatedTable, dialect: DialectName): DraftEntity {
  const { table, entity, properties, relations } = draft;
  const propertiesOf = (columns: readonly string[]): readonly string[] => {
    const named = columns.flatMap((column) => properties.get(column)?.name ?? []);
    return named.length === columns.length ? named : [];
  };
  const isReadOnly = table.kind !== 'table' && table.kind !== 'foreign table';
  const uniqueKeys = table.uniqueKeys.map(propertiesOf).filter((key) => key.length > 0);
  const primaryKey = propertiesOf(table.primaryKey ?? []);
  const known = new Set([primaryKey, uniqueKeys[0] ?? []].map((key) => key.join()));
  const indexes = table.indexes
    .map(propertiesOf)
    .filter((index) => index.length > 0 && !known.has(index.join()));
  const hasNoKey = primaryKey.length === 0 && !isReadOnly;
  const fields = [...new Map(indexes.map((index) => [index.join(), index])).values()];
  return {
    content: {
      name: entity,
      ...(table.comment !== undefined && { description: table.comment }),
      ...(isReadOnly && { readOnly: true }),
      ...(primaryKey.length > 0 && { primaryKey }),
      ...(uniqueKeys[0] && { uniqueKey: uniqueKeys[0] }),
      ...(fields.length > 0 && {
        indexes: fields.map((index) => ({ name: index.join('_'), fields: index })),
      }),
      properties: [...properties.values()].map(({ content }) => content),
      ...(relations.length > 0 && { relations }),
    },
    mapping: mappingOf(draft, dialect),
    isReadOnly,
    remarks: [
      ...draft.remarks,
      ...(hasNoKey ? [limit(table, keyless(table))] : []),
      ...(table.heirs ? [limit(table, inherited(table.heirs))] : []),
      ...draft.keyRemarks,
    ],
  };
}

/** Properties with the name of their column are omitted. */
function mappingOf({ table, entity, properties }: RelatedTable, dialect: DialectName) {
  const { storedName } = dialectOf(dialect);
  const others = [...properties.values()]
    .filter(({ name, mapping }) => storedName(name) !== storedName(mapping))
    .map(({ name, mapping }) => ({ name, mapping }));
  return {
    name: entity,
    mapping: tableMapping(table, dialect),
    ...(others.length > 0 && { properties: others }),
  };
}

/** A limit of a table that is mapped. */
function limit(table: ExistingTable, why: string): Remark {
  return { place: placeOf(table), why, isMapped: true };
}

function inherited(heirs: readonly string[]): string {
  return `It also shows the rows of the tables that inherit from it (${heirs.join(', ')}), so an export contains those rows twice.`;
}

function keyless({ primaryKey }: ExistingTable): string {
  const why = primaryKey
    ? 'Its primary key has a column that is not mapped'
    : 'It has no primary key';
  return `${why}, so updates and deletes need a filter.`;
}
