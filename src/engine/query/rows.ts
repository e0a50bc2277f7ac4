/** Creates the rows that a query reads, and joins related rows to them. */
import { EngineError, invariant, type Span } from '../errors.js';
import { didYouMean } from '../language/did-you-mean.js';
import { keyHolder } from '../schema/key-holder.js';
import type { Entity, Property, Relation } from '../schema/model.js';
import { scalarText } from '../values/scalar-text.js';
import type {
  Bound,
  BoundColumn,
  BoundSubselect,
  BoundTuple,
  JoinedRow,
  RowSource,
  StatementSize,
} from './logical.js';
import { condition, literalOf, noSpan } from './added.js';
import { storedColumn } from './read-column.js';
import { rowPredicates } from './row-predicates.js';
import type { BindContext } from './scope.js';

/** The row of an entity that a SELECT starts from. Throws `unknown-entity` and `unsupported`. */
export function rowOfEntity(
  context: BindContext,
  name: string,
  span: Span,
  statement: StatementSize = { joins: 0 },
): RowSource {
  const { catalog, stage } = context;
  const entity = catalog.entity(name);
  recordUse(context, name);
  if (!entity) {
    const names = catalog.schema.domain.entities.map((each) => each.name);
    const hint = didYouMean(name, names) ?? hintForClause(name, names);
    throw new EngineError('unknown-entity', `There is no entity '${name}'.`, { span, hint });
  }
  const location = catalog.locate(stage, name, context.action ?? 'select');
  if (!location) {
    const message = `Stage '${stage}' has no source that entity '${name}' is ${context.action ? 'written to' : 'read from'}.`;
    throw new EngineError('unsupported', message, { span });
  }
  return newRow(context, { entity, location, statement });
}

/** For `Orders.length`, which has the form of an entity. */
function hintForClause(name: string, entities: readonly string[]): string | undefined {
  const dot = name.lastIndexOf('.');
  const isClause = entities.includes(name.slice(0, Math.max(dot, 0)));
  return isClause ? `A clause needs parentheses: '${name}()'.` : undefined;
}

function recordUse({ usedEntities, layer, predicateDepth }: BindContext, entity: string): void {
  if (layer === undefined && predicateDepth === undefined) usedEntities?.add(entity);
}

/** Another row of the same entity. */
export function sameRow(context: BindContext, { entity, location }: RowSource): RowSource {
  return newRow(context, { entity, location, statement: { joins: 0 } });
}

/** The predicates refer to the row that contains them, so they are added after it was created. */
function newRow(
  context: BindContext,
  place: Pick<RowSource, 'entity' | 'location' | 'statement'>,
): RowSource {
  const predicates: Bound[] = [];
  const joins = new Map<string, JoinedRow>();
  const isAuxiliary = context.predicateDepth !== undefined;
  const row = { ...place, joins, optional: false, presence: undefined, isAuxiliary, predicates };
  predicates.push(...rowPredicates(context, row));
  return row;
}

/**
 * The maximum number of joins in a statement. MySQL and MariaDB join at most 61 tables, of which two are
 * the entity's own and the keys of a batch.
 */
const joinsMax = 59;

/**
 * The row at the end of a to-one relation. It is joined once, however often the path is used, but apart for
 * the expressions of a view, which read rows and properties that the view hides from the query.
 */
export function joinedRow(
  context: BindContext,
  row: RowSource,
  { relation, span }: RelationUse,
): RowSource {
  const path = context.catalog.activeView ? relation.name : `${relation.name} of the domain`;
  const known = row.joins.get(path);
  // A condition of the schema may have joined it.
  recordUse(context, relation.entity);
  if (known) return known.row;
  const { statement } = row;
  statement.joins += 1;
  if (statement.joins > joinsMax) throw tooManyJoins(span);
  const joined = rowOfEntity(context, relation.entity, span, statement);
  requireOneSource(row, joined, { relation, span });
  joined.optional = row.optional || !isAlwaysThere(context, row, joined, relation);
  [joined.presence] = relation.to;
  row.joins.set(path, { relation, row: joined });
  return joined;
}

/**
 * The columns that equal those that a relation to `row` starts from: of the join table, which is joined to the row, or
 * of the row itself.
 */
export function linkColumns(
  context: BindContext,
  row: RowSource,
  { relation, span }: RelationUse,
): readonly BoundColumn[] {
  const { name, through, to } = relation;
  if (!through) return requiredColumns(row, to);
  const link = { name: `(${name})`, type: 'manyToOne', weak: false } as const;
  const joint: Relation = { ...link, from: to, entity: through.entity, to: through.to };
  const joined = joinedRow(context, row, { relation: joint, span });
  joined.optional = row.optional;
  return requiredColumns(joined, through.from);
}

/** Whether every row has a related one, because a required foreign key refers to it. */
function isAlwaysThere(
  { catalog }: BindContext,
  { entity }: RowSource,
  joined: RowSource,
  relation: Relation,
): boolean {
  const { from, weak } = relation;
  const required = new Set(entity.properties.flatMap((each) => (each.required ? each.name : [])));
  const isRequired = from.every((name) => required.has(name));
  if (!isRequired || weak || rowConditions(joined).length > 0) return false;
  if (relation.type !== 'oneToOne') return true;
  // A view may hide that the other side declares the relation, too.
  const target = catalog.unrestricted.entity(relation.entity) ?? joined.entity;
  return keyHolder(entity, relation, target) === 'owner';
}

/** The row at the end of a to-one relation, read by a sub-select instead of a join. */
export function auxiliaryRow(
  context: BindContext,
  outer: RowSource,
  use: RelationUse,
): BoundSubselect {
  const row = rowOfEntity(context, use.relation.entity, use.span, outer.statement);
  requireOneSource(outer, row, use);
  return relatedRow(outer, row, use);
}

/** A sub-select of the row to which a relation to one leads. */
export function relatedRow(
  outer: RowSource,
  row: RowSource,
  { relation, span }: RelationUse,
): BoundSubselect {
  const keys = requiredColumns(outer, relation.from);
  const ties = requiredColumns(row, relation.to);
  const nothing = { argument: undefined, distinct: false, filter: undefined };
  return { kind: 'subselect', name: 'only', keys, ties, row, ...nothing, type: 'any', span };
}

/** A relation, and its position in the text. */
export interface RelationUse {
  readonly relation: Relation;
  readonly span: Span;
}

function tooManyJoins(span: Span): EngineError {
  const message = `A statement can join at most ${joinsMax} tables.`;
  const hint = 'Include relations instead: each is read by its own statement.';
  return new EngineError('too-many-joins', message, { span, hint });
}

/** The stored column of a property that the schema is known to contain. */
export function requiredColumn(row: RowSource, property: string): BoundColumn {
  const known = row.location.columns.get(property);
  const column = storedColumn(row, known, noSpan);
  invariant(column, `entity ${row.entity.name} has the property ${property}`);
  return column;
}

/** The stored columns of properties that the schema is known to contain. */
export function requiredColumns(
  row: RowSource,
  properties: readonly string[],
): readonly BoundColumn[] {
  return properties.map((property) => requiredColumn(row, property));
}

/** The value that identifies a row: one property, or several as a tuple. */
export function keyValue(row: RowSource, properties: readonly string[]): BoundColumn | BoundTuple {
  return keyOf(requiredColumns(row, properties));
}

/** The value of a column, or of several columns together. */
export function keyOf(items: readonly BoundColumn[]): BoundColumn | BoundTuple {
  const [only, other] = items;
  return only && !other ? only : { kind: 'tuple', items, type: 'json', span: noSpan };
}

/** The conditions for a visible row: fixed `key` values, and its predicates. */
export function rowConditions(row: RowSource): readonly Bound[] {
  const keys = [...row.location.columns.values()].flatMap((property): Bound[] => {
    const text = keyText(property);
    const left = text === undefined ? undefined : storedColumn(row, property, noSpan);
    if (text === undefined || !left) return [];
    return [condition('==', left, literalOf(property.type, text))];
  });
  return [...keys, ...row.predicates];
}

/**
 * The value that a property has in all rows of its entity, as canonical text; undefined without one.
 */
export function keyText({ key, type }: Property): string | undefined {
  return key === undefined ? undefined : scalarText(type, key);
}

/** The relation of that name; undefined if the entity has none. */
export function relationOf(row: RowSource, name: string): Relation | undefined {
  return row.entity.relations.find((relation) => relation.name === name);
}

/**
 * The relation of that name in an expression. Expressions of the schema may use relations that a view
 * hides.
 */
export function relationIn(
  { layer, catalog }: BindContext,
  row: RowSource,
  name: string,
): Relation | undefined {
  if (layer === undefined) return relationOf(row, name);
  return catalog.unrestricted.relation(row.entity.name, name);
}

/** Whether a relation leads to many rows, which the schema format calls `manyToOne`. */
export function leadsToMany(relation: Relation): boolean {
  return relation.type === 'manyToOne';
}

/** The error for a name that is neither a property nor a relation of the entity. */
export function unknownProperty(row: RowSource, name: string, span: Span): EngineError {
  const { properties, relations, name: entity } = row.entity;
  const members = [...properties, ...relations].map((member) => member.name);
  const hint = didYouMean(name, members);
  const message = `Entity '${entity}' has no property or relation '${name}'.`;
  return new EngineError('unknown-property', message, { span, hint });
}

/** Throws `unsupported` when a relation of `row` leads into another source. */
export function requireOneSource(
  row: RowSource,
  target: RowSource,
  { relation: { name }, span }: RelationUse,
): void {
  const [from, to] = [row, target].map(({ location }) => location.source.name);
  if (from === to) return;
  const message = `'${name}' leads from source '${from}' to source '${to}', but a statement reads only one source.`;
  const hint = 'Include the relation instead: its rows are then read from their own source.';
  throw new EngineError('unsupported', message, { span, hint });
}

export function unknownRelation(entity: Entity, name: string, span: Span): EngineError {
  const relations = entity.relations.map((relation) => relation.name);
  const hint = didYouMean(name, relations) ?? listOf(entity.name, relations);
  const isProperty = entity.properties.some((property) => property.name === name);
  const message = isProperty
    ? `'${name}' is a property of entity '${entity.name}', not a relation.`
    : `Entity '${entity.name}' has no relation '${name}'.`;
  return new EngineError('unknown-relation', message, { span, hint });
}

const listedRelationsMax = 20;

function listOf(entity: string, relations: readonly string[]): string | undefined {
  if (relations.length === 0 || relations.length > listedRelationsMax) return undefined;
  return `Relations of '${entity}': ${relations.join(', ')}.`;
}
