/** Random includes: relations with clauses, nested. */
import { entityNamed, type Relation } from '../world/domain.js';
import { CROWD, cutOf, filtersOf, mapOf, noMap, sortOf } from './clauses.js';
import { freshName, innermost, type Scope, scopeInside } from './sketch.js';

const DEPTH_MAX = 3;

/** `.include(p=>[p.details.filter(…), p.customer])`, or nothing if there is no relation. */
export function includesOf(
  scope: Scope,
  depth: number,
  level: number,
  taken: readonly string[],
): string {
  const { random, constructs } = scope.sketch;
  const { entity, name } = innermost(scope);
  const free = entity.relations.filter((each) => !taken.includes(each.name));
  const chosen = random.some(free, 1 + random.below(2));
  if (chosen.length === 0) return '';
  constructs.add(`include ${level}`);
  const items = chosen.map((relation) => include(scope, relation, depth, level));
  const body = items.length === 1 && random.chance(0.7) ? items[0] : `[${items.join(', ')}]`;
  return `.include(${name}=>${body})`;
}

/** A relation with clauses in any order. Its includes can only read their own row. */
export function include(scope: Scope, relation: Relation, depth: number, level: number): string {
  const { random, domain } = scope.sketch;
  const outer = innermost(scope);
  const target = entityNamed(domain, relation.entity);
  const inner = scopeInside(scope, { name: freshName(scope), entity: target });
  const deep = target.size > CROWD ? Math.min(depth, 1) : depth;
  const cut = random.chance(0.25) ? cutOf(inner, deep) : { text: '', hasMap: false };
  const map = cut.hasMap ? noMap : random.chance(0.6) ? mapOf(inner, deep) : noMap;
  const parts = [
    ...(random.chance(0.4) ? filtersOf(inner, deep) : []),
    map.text,
    random.chance(0.35) ? sortOf(inner, deep, map.sortable) : '',
    cut.text,
    level < DEPTH_MAX && random.chance(0.35) ? includesOf(inner, deep, level + 1, map.names) : '',
  ];
  const clauses = random.shuffled(parts.filter((part) => part !== ''));
  return `${outer.name}.${relation.name}${clauses.join('')}`;
}
