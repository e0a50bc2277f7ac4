/** Turns a draft into the document of a schema file, as `loadSchema` takes it. */
import type { Connection, DialectName } from '../schema/model.js';
import { nameOrNames } from '../schema/names.js';
import { dialectOf } from '../dialects/dialects.js';
import type { DraftEntity, DraftProperty, DraftRelation, SchemaDraft } from './schema-draft.js';

/** The database of a draft. */
export interface DraftSource {
  readonly dialect: DialectName;
  /** A connection, or a text that stands for one in the document. */
  readonly connection: Connection | string;
}

/**
 * The document, with its members in the same order as in the sample. Members with their default
 * value are omitted.
 */
export function draftDocument(draft: SchemaDraft, { dialect, connection }: DraftSource) {
  return {
    domain: {
      version: '1.0.0',
      enums: draft.enums.map(({ name, values }) => ({
        name,
        values: values.map((value) => ({ name: value })),
      })),
      entities: draft.entities.map(entityDocument),
    },
    infrastructure: {
      mappings: [
        {
          name: 'default',
          entities: draft.entities.map((entity) => mappingDocument(entity, dialect)),
        },
      ],
      sources: [{ name: 'default', dialect, mapping: 'default', connection }],
      stages: [{ name: 'default', sources: [{ name: 'default' }] }],
      views: [{ name: 'default' }],
    },
  };
}

function entityDocument(entity: DraftEntity) {
  const { name, description, primaryKey, uniqueKey, indexes, properties, relations } = entity;
  return {
    name,
    ...(description !== undefined && { description }),
    ...(entity.readOnly && { readOnly: true }),
    ...(primaryKey.length > 0 && { primaryKey }),
    ...(uniqueKey.length > 0 && { uniqueKey }),
    ...(indexes.length > 0 && {
      indexes: indexes.map((fields) => ({ name: fields.join('_'), fields })),
    }),
    properties: properties.map(propertyDocument),
    ...(relations.length > 0 && { relations: relations.map(relationDocument) }),
  };
}

function relationDocument({ from, to, ...rest }: DraftRelation) {
  const { name, type, entity, through, target, weak } = rest;
  const ends = { from: nameOrNames(from), entity, to: nameOrNames(to) };
  if (!through) return { name, type, ...ends, target, ...(weak && { weak }) };
  const table = { from: nameOrNames(through.from), to: nameOrNames(through.to) };
  return { name, type, ...ends, through: { entity: through.entity, ...table }, target };
}

function propertyDocument(property: DraftProperty) {
  const { name, type, digits, description, required, autoIncrement, readOnly, databaseDefault } =
    property;
  return {
    name,
    ...(type === 'string' ? { length: property.length ?? 'max' } : { type: typeName(property) }),
    ...(digits && { precision: digits.precision }),
    ...(digits && digits.scale > 0 && { scale: digits.scale }),
    ...(required && { required }),
    ...(autoIncrement && { autoIncrement }),
    ...(readOnly && { readOnly }),
    ...(property.default !== undefined && { default: property.default }),
    ...(databaseDefault && { databaseDefault }),
    ...(property.enum !== undefined && { enum: property.enum }),
    ...(description !== undefined && { description }),
  };
}

function typeName({ type, isLong }: DraftProperty): string {
  return isLong ? type.replace('integer', 'bigint') : type;
}

function mappingDocument({ name, mapping, properties }: DraftEntity, dialect: DialectName) {
  const { storedName } = dialectOf(dialect);
  const others = properties.filter((each) => storedName(each.name) !== storedName(each.mapping));
  return {
    name,
    mapping,
    ...(others.length > 0 && {
      properties: others.map((each) => ({ name: each.name, mapping: each.mapping })),
    }),
  };
}
