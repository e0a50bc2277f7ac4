/** What an export consists of: which entities stand by themselves, and which nest in their parents. */
import type { Catalog } from '../schema/catalog.js';
import type { Entity, Relation } from '../schema/model.js';
import { isKey } from '../schema/names.js';
import { dependencyOrder, referencesOf } from './dependency-order.js';

/** An entity with its parts. */
export interface ExportTree {
  readonly name: string;
  readonly entity: Entity;
  readonly parts: readonly ExportPart[];
}

/** Composite children, under the name of the relation that leads to them. */
export interface ExportPart {
  readonly relation: string;
  readonly tree: ExportTree;
}

/**
 * The trees of a stage in the order in which their rows can be inserted. Entities that are only read, which
 * no import takes, are among them on demand (`withReadOnly`).
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
  const owners = findOwners(catalog, entities);
  const trees = entities
    .filter(({ name }) => !owners.has(name))
    .map((entity) => treeOf(entity, owners, catalog));
  return dependencyOrder(trees, (tree) => treeReferences(tree, catalog));
}

/** The query that reads a tree: every row with its parts, sorted by primary key. */
export function exportExpression(tree: ExportTree): string {
  return `${tree.name}.sort(p=>[${sortKeys(tree.entity).join(',')}])${includeClause(tree)}`;
}

/** Who owns a part, and by which of its relations. */
interface Owner {
  readonly name: string;
  readonly relation: Relation;
}

function findOwners(catalog: Catalog, entities: readonly Entity[]): ReadonlyMap<string, Owner> {
  const owners = new Map<string, Owner>();
  const visible = new Set(entities.map(({ name }) => name));
  for (const owner of entities) {
    for (const relation of owner.relations) {
      const part = relation.entity;
      if (!visible.has(part) || owners.has(part) || isWithin(owner.name, part, owners)) continue;
      if (isPart(owner, relation, catalog)) owners.set(part, { name: owner.name, relation });
    }
  }
  return owners;
}

/** Whether the rows of a relation can be nested in their parents: each must have exactly one. */
function isPart(owner: Entity, relation: Relation, catalog: Catalog): boolean {
  if (relation.composite !== true || relation.weak) return false;
  const target = catalog.entity(relation.entity);
  const hasParent = relation.to.every(
    (name) =>
      catalog.property(relation.entity, name)?.required === true ||
      target?.primaryKey.includes(name) === true,
  );
  return hasParent && [owner.primaryKey, owner.uniqueKey].some((one) => isKey(one, relation.from));
}

/** Whether `name` is `part` or lies somewhere in it: an entity cannot be a part of itself. */
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

function sortKeys(entity: Entity): readonly string[] {
  const everything = entity.properties.flatMap(({ name, type }) => (type === 'json' ? [] : [name]));
  const keys = [entity.primaryKey, entity.uniqueKey, everything];
  return (keys.find((key) => key.length > 0) ?? []).map((name) => `p.${name}`);
}
