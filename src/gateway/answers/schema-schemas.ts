/** The answers of the schema and stage endpoints, in the member order of the interface document. */
import { arrayOf, flag, integer, object, reference, scalar, text, texts } from './json-schema.js';

const property = {
  type: text,
  required: flag,
  length: integer,
  autoIncrement: flag,
  default: scalar,
  enum: text,
};

const entity = {
  primaryKey: texts,
  uniqueKey: texts,
  required: texts,
  indexes: arrayOf(object({ name: text, fields: texts })),
  relations: arrayOf(reference('Relation')),
  dependents: arrayOf(object({ entity: text, relation: reference('Relation') })),
  constraints: arrayOf(reference('Constraint')),
  composite: flag,
  hadReadExps: flag,
  hadWriteExps: flag,
  hadReadValues: flag,
  hadWriteValues: flag,
  hadDefaults: flag,
  hadViewReadExp: flag,
};

export const schemaSchemas = {
  Property: object({ name: text, ...property }),
  MappingProperty: object({ name: text, mapping: text, ...property }),
  Relation: object({
    name: text,
    type: text,
    from: text,
    to: text,
    entity: text,
    target: text,
    weak: flag,
    composite: flag,
  }),
  Entity: object({ name: text, ...withProperties('Property') }),
  MappingEntity: object({
    name: text,
    mapping: text,
    ...withProperties('MappingProperty'),
    hadKeys: flag,
  }),
  Entities: arrayOf(reference('Entity')),
  Enum: object({ name: text, values: arrayOf(object({ name: text, value: scalar })) }),
  Enums: arrayOf(reference('Enum')),
  Domain: object({
    version: text,
    entities: arrayOf(reference('Entity')),
    enums: arrayOf(reference('Enum')),
  }),
  Schema: object({ version: text, domain: reference('Domain') }),
  Source: object({ name: text, dialect: text }),
  Sources: arrayOf(reference('Source')),
  Mapping: object({ name: text, entities: arrayOf(reference('MappingEntity')) }),
  Mappings: arrayOf(reference('Mapping')),
  Views: texts,
  Stage: object({ name: text, sources: arrayOf(object({ name: text })) }),
  Stages: arrayOf(reference('Stage')),
} as const;

function withProperties(propertySchema: string) {
  const { primaryKey, uniqueKey, ...rest } = entity;
  return { primaryKey, uniqueKey, properties: arrayOf(reference(propertySchema)), ...rest };
}
