/** JSON Schemas of the entities and enums of the domain, for the OpenAPI document. */
import type {
  EntityDescription,
  PropertyDescription,
  RelationDescription,
} from '../../engine/index.js';
import { named, nullable, reference, type Schema } from './json-schema.js';
import { type DomainSight, visibleEntities, visibleEnums } from './sight.js';

/** The schemas of the entities and enums that a sender may see, by their names as components. */
export function entitySchemas(sight: DomainSight): Readonly<Record<string, Schema>> {
  const schemas: Record<string, Schema> = {};
  for (const { name, values } of visibleEnums(sight)) {
    schemas[enumName(name)] = { enum: [...new Set(values.map(({ value }) => value))] };
  }
  for (const entity of visibleEntities(sight)) {
    schemas[named(entity.name)] = entitySchema(entity, sight.isVisible);
  }
  return schemas;
}

/** A row. Relations are there only if the query includes them. */
function entitySchema(entity: EntityDescription, isVisible: (entity: string) => boolean): Schema {
  const { name, description, readOnly, primaryKey } = entity;
  const properties = entity.properties.map((each) => [
    each.name,
    propertySchema(each, primaryKey.includes(each.name)),
  ]);
  const relations = entity.relations
    .filter(
      ({ entity: target, through }) => isVisible(target) && isVisible(through?.entity ?? target),
    )
    .map((each) => [each.name, relationSchema(each)]);
  return {
    type: 'object',
    title: name,
    ...(description !== undefined && { description }),
    ...(readOnly && { readOnly: true }),
    properties: Object.fromEntries([...properties, ...relations]),
    required: entity.properties.map((each) => each.name),
  };
}

function propertySchema(property: PropertyDescription, isKey: boolean): Schema {
  const { type, required, length, description, readOnly, default: value } = property;
  const isNullable = !required && !isKey && property.autoIncrement !== true;
  const isArray = type.endsWith('[]');
  const item =
    property.enum === undefined ? scalarSchema(type) : reference(enumName(property.enum));
  const plain = isArray ? { type: 'array', items: nullable(item) } : item;
  const own = isNullable ? nullable(plain) : plain;
  const isExpression = type !== 'boolean' && typeof value === 'string';
  return {
    ...own,
    ...(length !== undefined && !isArray && { maxLength: length }),
    ...(description !== undefined && { description }),
    ...((readOnly || property.autoIncrement === true) && { readOnly: true }),
    ...(value !== undefined && !isExpression && { default: value }),
  };
}

/**
 * By the types of properties, without `[]`. A date is answered as its midnight in UTC. A time has no offset, so it has
 * no format; on MariaDB and MySQL, it can be negative and have more than 24 hours.
 */
const scalars: Readonly<Record<string, Schema>> = {
  integer: { type: 'integer' },
  decimal: { type: 'number' },
  number: { type: 'number' },
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  dateTime: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date-time' },
  time: { type: 'string', pattern: String.raw`^-?\d{2,3}:\d{2}:\d{2}(\.\d+)?$` },
  uuid: { type: 'string', format: 'uuid' },
  binary: { type: 'string', contentEncoding: 'base64' },
  interval: { type: 'string' },
  inet: { type: 'string' },
  xml: { type: 'string', contentMediaType: 'application/xml' },
  json: {},
  any: {},
};

function scalarSchema(type: string): Schema {
  return scalars[type.replace('[]', '')] ?? {};
}

function relationSchema({ type, entity, from, to, through }: RelationDescription): Schema {
  const target = reference(named(entity));
  const link = through
    ? `${String(through.to)} of a row of ${through.entity} whose ${String(through.from)} is equal to ${String(from)}`
    : String(from);
  const description = `Only if included: ${entity} with ${String(to)} equal to ${link}.`;
  if (type === 'manyToOne') return { type: 'array', items: target, description };
  return { ...nullable(target), description };
}

function enumName(name: string): string {
  return named(`enum.${name}`);
}
