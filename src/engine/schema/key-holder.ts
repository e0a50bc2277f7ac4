/** Determines which side of a one-to-one relation has the foreign key. Both sides may declare the relation. */
import type { Catalog } from './catalog.js';
import type { Entity, Relation } from './model.js';
import { isKey } from './names.js';

export interface RelationSide {
  readonly name: string;
  readonly primaryKey: readonly string[];
  readonly relations: readonly Side[];
}

type Side = Pick<Relation, 'type' | 'entity' | 'isInverse' | 'weak' | 'from' | 'to'>;

/** `either`: both sides join by their primary keys, and both declare the relation. */
export function keyHolder(
  owner: Pick<RelationSide, 'name' | 'primaryKey'>,
  { isInverse, from, to }: Pick<Relation, 'isInverse' | 'from' | 'to'>,
  target: RelationSide,
): 'owner' | 'target' | 'either' {
  if (isInverse) return 'target';
  if (!isKey(owner.primaryKey, from)) return 'owner';
  if (!isKey(target.primaryKey, to)) return 'target';
  const declaresIt = target.relations.some(
    (other) =>
      other.type === 'oneToOne' &&
      other.entity === owner.name &&
      !other.isInverse &&
      !other.weak &&
      isReverse(other, from, to),
  );
  return declaresIt ? 'either' : 'owner';
}

/** Whether a relation leads from `to` to `from`, whatever the order of the names. */
function isReverse(other: Side, from: readonly string[], to: readonly string[]): boolean {
  const isPair = (name: string, index: number) => other.to[index] === from[to.indexOf(name)];
  return other.from.length === to.length && other.from.every(isPair);
}

/**
 * Whether the target of a relation has its foreign key. If both sides of a one-to-one relation may have it, it is the
 * entity that comes last.
 */
export function isHeldByTarget(
  owner: Pick<Entity, 'name' | 'primaryKey'>,
  relation: Relation,
  target: RelationSide,
  entities: readonly Pick<Entity, 'name'>[],
): boolean {
  if (relation.type !== 'oneToOne') return relation.type === 'manyToOne';
  const holder = keyHolder(owner, relation, target);
  if (holder !== 'either') return holder === 'target';
  const names = entities.map(({ name }) => name);
  return names.indexOf(owner.name) < names.indexOf(target.name);
}

/** The same for entities of a catalog, whatever its view hides. */
export function isHeldByOther(
  { unrestricted }: Catalog,
  owner: Pick<Entity, 'name' | 'primaryKey'>,
  relation: Relation,
): boolean {
  const target = unrestricted.entity(relation.entity);
  const { entities } = unrestricted.schema.domain;
  return target === undefined || isHeldByTarget(owner, relation, target, entities);
}
