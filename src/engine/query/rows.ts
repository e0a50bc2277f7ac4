/** The rows that a query reads, and what a dotted path through them leads to. */
import { EngineError, invariant, type Span } from '../errors.js';
import { didYouMean } from '../language/did-you-mean.js';
import type { Location } from '../schema/locate.js';
import type { Relation } from '../schema/model.js';
import type { BoundColumn, RowSource } from './logical.js';
import type { BindContext } from './scope.js';

/** The row of an entity that a SELECT starts from. */
export function rowOfEntity(context: BindContext, name: string, span: Span): RowSource {
  const { catalog, stage } = context;
  const entity = catalog.entity(name);
  if (!entity) {
    const names = catalog.schema.domain.entities.map((each) => each.name);
    const hint = didYouMean(name, names);
    throw new EngineError('unknown-entity', `There is no entity '${name}'.`, { span, hint });
  }
  const location = catalog.locate(stage, name, 'select');
  if (!location) {
    const message = `Stage '${stage}' has no source that entity '${name}' is read from.`;
    throw new EngineError('unsupported', message, { span });
  }
  refuseUnread(context, location, span);
  return { entity, location, joins: new Map(), optional: false, sentence: { joins: 0 } };
}

/** Joins of one sentence: more than people write, and what databases plan without effort. */
const joinsMax = 64;

/**
 * Conditions on rows and expressions read in place of columns: until they are applied, reading past
 * them would show what they are there to hide.
 */
function refuseUnread({ catalog }: BindContext, { entity }: Location, span: Span): void {
  const { name } = entity;
  const isFiltered = entity.filter !== undefined || catalog.rowFilter(name) !== undefined;
  const replaced = entity.properties.find(
    (property) =>
      property.readMappingExp !== undefined ||
      catalog.property(name, property.name)?.readExp !== undefined,
  );
  if (!isFiltered && !replaced) return;
  const what = replaced ? `property '${replaced.name}'` : 'its rows';
  const message = `Entity '${name}' has an expression for ${what}, which is not served yet.`;
  throw new EngineError('unsupported', message, { span });
}

/** The row that a to-one relation leads to: joined once, however often the path is used. */
export function joinedRow(
  context: BindContext,
  row: RowSource,
  { relation, span }: RelationUse,
): RowSource {
  const known = row.joins.get(relation.name);
  if (known) return known.row;
  const { sentence } = row;
  sentence.joins += 1;
  if (sentence.joins > joinsMax) throw tooManyJoins(span);
  const target = { ...rowOfEntity(context, relation.entity, span), sentence };
  const from = row.entity.properties.find(({ name }) => name === relation.from);
  const joined = { ...target, optional: row.optional || from?.required !== true };
  row.joins.set(relation.name, { relation, row: joined });
  return joined;
}

/** A relation, and where it is named. */
export interface RelationUse {
  readonly relation: Relation;
  readonly span: Span;
}

function tooManyJoins(span: Span): EngineError {
  const message = `One sentence joins ${joinsMax} tables at most.`;
  const hint = 'Include relations: each is read by a sentence of its own.';
  return new EngineError('too-many-joins', message, { span, hint });
}

/** A property of a row as an expression; undefined when the entity has none of that name. */
export function columnOf(row: RowSource, name: string, span: Span): BoundColumn | undefined {
  const property = row.entity.properties.find((each) => each.name === name);
  const mapped = row.location.columns.get(name);
  if (!property || !mapped) return undefined;
  const isKey = property.required || row.entity.primaryKey.includes(name);
  return {
    kind: 'column',
    row,
    property: name,
    column: mapped.mapping,
    type: property.type,
    nullable: row.optional || !isKey,
    span,
  };
}

/** A property that the schema is known to have. */
export function requiredColumn(row: RowSource, property: string): BoundColumn {
  const column = columnOf(row, property, { start: 0, end: 0 });
  invariant(column, `entity ${row.entity.name} has the property ${property}`);
  return column;
}

/** The relation of that name; undefined when the entity has none. */
export function relationOf(row: RowSource, name: string): Relation | undefined {
  return row.entity.relations.find((relation) => relation.name === name);
}

/** Whether a relation leads to many rows (lambdaorm's word for it is `manyToOne`). */
export function leadsToMany(relation: Relation): boolean {
  return relation.type === 'manyToOne';
}

/** The error of a name that is neither property nor relation of the entity. */
export function unknownProperty(row: RowSource, name: string, span: Span): EngineError {
  const { properties, relations, name: entity } = row.entity;
  const hint = didYouMean(
    name,
    [...properties, ...relations].map((member) => member.name),
  );
  const message = `Entity '${entity}' has no property or relation '${name}'.`;
  return new EngineError('unknown-property', message, { span, hint });
}
