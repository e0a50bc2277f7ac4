/** The catalog as a view shows it: excluded names do not exist in it. */
import { EngineError } from '../errors.js';
import { didYouMean } from '../language/did-you-mean.js';
import { type Catalog, assembleCatalog } from './catalog.js';
import { deriveFlags } from './derive-domain.js';
import type { Entity, Enum, MappingEntity, Property, Relation, Schema, View } from './model.js';
import { type Restriction, createRestriction } from './restriction.js';

/**
 * The catalog under a view. Excluded entities and properties are removed, and so are the relations,
 * dependents, keys and indexes that need them. A property with a `readExp` in the view is not a key
 * there, because relations would reveal its stored value. The result is cached by catalog and view.
 * Throws 'unknown-view'.
 */
export function catalogUnderView(catalog: Catalog, viewName: string): Catalog {
  const whole = catalog.unrestricted;
  const known = underViews.get(whole) ?? new Map<string, Catalog>();
  underViews.set(whole, known);
  const remembered = known.get(viewName);
  if (remembered) return remembered;
  const view = whole.view(viewName);
  if (!view) {
    const names = whole.schema.views.map(({ name }) => name);
    const all = names.length === 0 ? 'no views' : `the views ${names.slice(0, 10).join(', ')}`;
    const hint = didYouMean(viewName, names) ?? `The schema has ${all}.`;
    throw new EngineError('unknown-view', `There is no view '${viewName}'.`, { hint });
  }
  const result = restrictCatalog(whole, view);
  known.set(viewName, result);
  return result;
}

// Bounded by the number of views; released with the catalog.
const underViews = new WeakMap<Catalog, Map<string, Catalog>>();

function restrictCatalog(whole: Catalog, view: View): Catalog {
  if (view.entities.length === 0) return whole;
  const schema = restrictSchema(whole.schema, view);
  return assembleCatalog({ schema, locate: whole.locate, activeView: view }, whole);
}

function restrictSchema(schema: Schema, view: View): Schema {
  const restriction = createRestriction(view);
  const entities = schema.domain.entities
    .filter(({ name }) => !restriction.hidesEntity(name))
    .map((entity) => ({
      ...restrictEntity(entity, restriction),
      properties: restrictProperties(entity.name, entity.properties, restriction),
    }));
  return {
    ...schema,
    domain: {
      ...schema.domain,
      entities: entities.map(withFlags(restriction)),
      enums: visibleEnums(schema.domain, entities),
    },
    mappings: schema.mappings.map((mapping) => ({
      ...mapping,
      entities: mapping.entities
        .filter(({ name }) => !restriction.hidesEntity(name))
        .map((entity) => restrictMappingEntity(entity, restriction))
        .map(withFlags(restriction)),
    })),
  };
}

/** The enums without those of which all properties are hidden. */
function visibleEnums(
  { enums, entities }: Schema['domain'],
  visible: Schema['domain']['entities'],
): readonly Enum[] {
  const [all, shown] = [entities, visible].map(
    (each) =>
      new Set(each.flatMap(({ properties }) => properties.map((property) => property.enum))),
  );
  return enums.filter(({ name }) => shown?.has(name) === true || all?.has(name) === false);
}

/** The members that entities of the domain and of mappings share, except their properties. */
type EntityFrame = Omit<Entity, 'properties'>;

function restrictEntity<Frame extends EntityFrame>(entity: Frame, view: Restriction): Frame {
  const { name } = entity;
  const isVisible = (property: string) => !view.hidesProperty(name, property);
  const isKept = (property: string) => view.keepsProperty(name, property);
  return {
    ...entity,
    primaryKey: entity.primaryKey.every(isKept) ? entity.primaryKey : [],
    uniqueKey: entity.uniqueKey.every(isKept) ? entity.uniqueKey : [],
    required: entity.required.filter(isVisible),
    indexes: entity.indexes.filter((index) => index.fields.every(isVisible)),
    relations: entity.relations.filter((relation) => showsRelation(name, relation, view)),
    dependents: entity.dependents.filter((dependent) =>
      showsRelation(dependent.entity, dependent.relation, view),
    ),
    constraints: entity.constraints.filter(({ condition }) => !view.isNamedIn(name, condition)),
  };
}

function showsRelation(owner: string, relation: Relation, view: Restriction): boolean {
  return (
    !view.hidesEntity(owner) &&
    !view.hidesEntity(relation.entity) &&
    showsThrough(relation, view) &&
    relation.from.every((name) => view.keepsProperty(owner, name)) &&
    relation.to.every((name) => view.keepsProperty(relation.entity, name))
  );
}

function showsThrough({ through }: Relation, view: Restriction): boolean {
  if (!through) return true;
  const { entity, from, to } = through;
  return (
    !view.hidesEntity(entity) && [...from, ...to].every((name) => view.keepsProperty(entity, name))
  );
}

function restrictProperties<Visible extends Property>(
  entity: string,
  properties: readonly Visible[],
  view: Restriction,
): readonly (Visible | Omit<Visible, 'default'>)[] {
  return properties
    .filter((property) => !view.hidesProperty(entity, property.name))
    .map((property) => restrictProperty(entity, property, view));
}

/**
 * Applies the view's `readExp`, and removes a default that reads a hidden property: inserts take it
 * from the unrestricted catalog.
 */
function restrictProperty<Visible extends Property>(
  entity: string,
  property: Visible,
  view: Restriction,
): Visible | Omit<Visible, 'default'> {
  const readExp = view.ofProperty(entity, property.name)?.readExp;
  const read = readExp === undefined ? property : { ...property, readExp };
  if (typeof read.default !== 'string' || !view.isNamedIn(entity, read.default)) return read;
  const { default: _hidden, ...rest } = read;
  return rest;
}

function restrictMappingEntity(entity: MappingEntity, view: Restriction): MappingEntity {
  const properties = restrictProperties(entity.name, entity.properties, view);
  return {
    ...restrictEntity(entity, view),
    properties,
    hadKeys: properties.some((property) => property.key !== undefined),
  };
}

function withFlags(view: Restriction) {
  return <Visible extends EntityFrame & { readonly properties: readonly Property[] }>(
    entity: Visible,
  ): Visible => ({
    ...entity,
    ...deriveFlags(entity.properties),
    hadViewReadExp: view.readsOtherwise(entity.name),
  });
}
