/** The structure of an export: root entities, and entities nested in their parents. */
import type { Catalog } from '../schema/catalog.js';
import { dependencyOrder, referencesOf } from '../schema/dependency-order.js';
import type { Entity, Relation } from '../schema/model.js';
import { isKey } from '../schema/names.js';
import { isOpaque } from '../query/types.js';

/** An entity with its nested entities. */
export interface ExportTree {
  readonly name: string;
  readonly entity: Entity;
  readonly parts: readonly ExportPart[];
}

/** Composite children, under the name of the relation to them. */
export interface ExportPart {
  readonly relation: string;
  readonly tree: ExportTree;
}

/**
 * The trees of a stage, in the order in which their rows can be inserted. Read-only entities, which
 * no import takes, are included only `withReadOnly`.
 */
export function exportTrees(
  catalog: Catalog,
  stage: string,
  withReadOnly = false,
): readonly ExportTree[] {
  const entities = catalog.schema.domain.entities.filter(
    ({ name, view }) =>
      (withReadOnly || !view) && catalog.locate(stage, name, 'select') !== undefined,
  );
  const owners = findOwners(catalog, stage, entities);
  const trees = entities
    .filter(({ name }) => !owners.has(name))
    .map((entity) => treeOf(entity, owners, catalog));
  return dependencyOrder(trees, (tree) => treeReferences(tree, catalog));
}

/** The query that reads a tree: all rows with their nested rows, sorted by primary key. */
export function exportExpression(tree: ExportTree): string {
  return `${tree.name}${sortClause(tree.entity)}${includeClause(tree)}`;
}

/** The parent of a nested entity, and the relation to it. */
interface Owner {
  readonly name: string;
  readonly relation: Relation;
}

function findOwners(
  catalog: Catalog,
  stage: string,
  entities: readonly Entity[],
): ReadonlyMap<string, Owner> {
  const owners = new Map<string, Owner>();
  const visible = new Set(entities.map(({ name }) => name));
  for (const owner of entities) {
    for (const relation of owner.relations) {
      const part = relation.entity;
      if (!visible.has(part) || owners.has(part) || isWithin(owner.name, part, owners)) continue;
      const isNested = isPart(owner, relation, catalog) && !mayIgnoreCase(relation, catalog, stage);
      if (isNested) owners.set(part, { name: owner.name, relation });
    }
  }
  return owners;
}

/**
 * Whether the rows of a relation can be nested in their parents: each must have exactly one parent.
 */
function isPart(owner: Entity, relation: Relation, catalog: Catalog): boolean {
  if (relation.composite !== true || relation.weak || relation.through) return false;
  const target = catalog.entity(relation.entity);
  const hasParent = relation.to.every(
    (name) =>
      catalog.property(relation.entity, name)?.required === true ||
      target?.primaryKey.includes(name) === true,
  );
  return hasParent && [owner.primaryKey, owner.uniqueKey].some((one) => isKey(one, relation.from));
}

/**
 * Whether a row may have a parent with another text of its key, in which an include does not find it: the column may be a
 * `citext` of PostgreSQL.
 */
function mayIgnoreCase({ entity, to }: Relation, catalog: Catalog, stage: string): boolean {
  if (catalog.locate(stage, entity, 'select')?.source.dialect !== 'PostgreSQL') return false;
  return to.some((name) => {
    const property = catalog.property(entity, name);
    return property?.type === 'any' || (property?.type === 'string' && !property.enum);
  });
}

/** Whether `name` is `part` or nested somewhere in it; an entity cannot be nested in itself. */
function isWithin(name: string, part: string, owners: ReadonlyMap<string, Owner>): boolean {
  for (let one: string | undefined = name; one !== undefined; one = owners.get(one)?.name) {
    if (one === part) return true;
  }
  return false;
}

function treeOf(entity: Entity, owners: ReadonlyMap<string, Owner>, catalog: Catalog): ExportTree {
  const parts = entity.relations.flatMap((relation): ExportPart[] => {
    const owner = owners.get(relation.entity);
    const target = catalog.entity(relation.entity);
    if (!target || owner?.relation !== relation || owner.name !== entity.name) return [];
    return [{ relation: relation.name, tree: treeOf(target, owners, catalog) }];
  });
  return { name: entity.name, entity, parts };
}

function treeReferences(tree: ExportTree, catalog: Catalog): readonly string[] {
  const own = referencesOf(tree.entity, catalog.entity);
  return [...own, ...tree.parts.flatMap((part) => treeReferences(part.tree, catalog))];
}

function includeClause(tree: ExportTree): string {
  if (tree.parts.length === 0) return '';
  const parts = tree.parts.map((part) => `p.${part.relation}${includeClause(part.tree)}`);
  return `.include(p=>[${parts.join(',')}])`;
}

/**
 * Sorts by a key or, without one, by all values, except those that Rowgate computes after it has read the rows, and
 * those that cannot be sorted.
 */
function sortClause({ primaryKey, uniqueKey, properties }: Entity): string {
  const sorted = properties.filter(
    ({ readValue, type }) => readValue === undefined && type !== 'binary' && !isOpaque(type),
  );
  const everything = sorted.map(({ name }) => name);
  const known = new Set(everything);
  const keys = [primaryKey, uniqueKey, everything].find(
    (key) => key.length > 0 && key.every((name) => known.has(name)),
  );
  return keys ? `.sort(p=>[${keys.map((name) => `p.${name}`).join(',')}])` : '';
}
