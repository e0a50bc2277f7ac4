/** Projects entities of the schema to the members that the interface document lists, in its order. */
import type {
  Constraint,
  Entity,
  MappingEntity,
  MappingProperty,
  Property,
  Relation,
  SchemaScalar,
} from '../schema/model.js';
import { nameOrNames } from '../schema/names.js';
import { holdsSecret } from '../schema/secret.js';

export type EntityDescription = ReturnType<typeof projectEntity>;
export type PropertyDescription = ReturnType<typeof projectProperty>;
export type RelationDescription = ReturnType<typeof projectRelation>;

export function projectEntity(entity: Entity) {
  const { name, description, view, primaryKey, uniqueKey } = entity;
  return {
    name,
    ...(description !== undefined && { description }),
    ...(view && { readOnly: true }),
    primaryKey,
    uniqueKey,
    properties: entity.properties.map(projectProperty),
    ...projectRest(entity),
  };
}

/** Projects an entity of a mapping, with its table and columns. */
export function projectMappingEntity(entity: MappingEntity) {
  const { name, mapping, primaryKey, uniqueKey, hadKeys } = entity;
  const properties = entity.properties.map(projectColumn);
  return { name, mapping, primaryKey, uniqueKey, properties, ...projectRest(entity), hadKeys };
}

function projectRest(entity: Omit<Entity, 'properties'>) {
  return {
    required: entity.required,
    indexes: entity.indexes,
    relations: entity.relations.map(projectRelation),
    dependents: entity.dependents.map((each) => ({
      entity: each.entity,
      relation: projectRelation(each.relation),
    })),
    constraints: entity.constraints.map(projectConstraint),
    composite: entity.composite,
    hadReadExps: entity.hadReadExps,
    hadWriteExps: entity.hadWriteExps,
    hadReadValues: entity.hadReadValues,
    hadWriteValues: entity.hadWriteValues,
    hadDefaults: entity.hadDefaults,
    hadViewReadExp: entity.hadViewReadExp,
  };
}

function projectColumn(property: MappingProperty) {
  const { name, ...rest } = projectProperty(property);
  return { name, mapping: property.mapping, ...rest };
}

function projectProperty(property: Property) {
  return {
    name: property.name,
    type: property.type,
    // As in lambdaorm: a write may omit it.
    required: property.required && property.autoIncrement !== true,
    ...(property.length !== undefined && { length: property.length }),
    ...(property.autoIncrement && { autoIncrement: true }),
    ...(property.default !== undefined && { default: maskedDefault(property.default) }),
    ...(property.enum !== undefined && { enum: property.enum }),
    ...(property.description !== undefined && { description: property.description }),
    // An insert can omit it.
    ...((property.databaseDefault || property.key !== undefined) && { databaseDefault: true }),
    ...(property.view && { readOnly: true }),
  };
}

function maskedDefault(value: SchemaScalar): SchemaScalar {
  return typeof value === 'string' ? maskedText(value) : value;
}

function projectRelation(relation: Relation) {
  const { name, type, from, to, entity, target, weak, composite, isInverse = false } = relation;
  const { through } = relation;
  return {
    name,
    type,
    from: nameOrNames(from),
    to: nameOrNames(to),
    entity,
    ...(through && {
      through: {
        entity: through.entity,
        from: nameOrNames(through.from),
        to: nameOrNames(through.to),
      },
    }),
    ...(target !== undefined && { target }),
    // lambdaorm lists the inverse of a relation as weak, too.
    weak: weak || isInverse,
    ...(composite !== undefined && { composite }),
  };
}

/** The constraint, without a condition that may contain an encryption key. */
export function projectConstraint({ message, condition }: Constraint): Constraint {
  return { message, condition: maskedText(condition) };
}

/** The text, or a placeholder for a text that may contain an encryption key. */
function maskedText(text: string): string {
  return holdsSecret(text) ? '(encrypted)' : text;
}
