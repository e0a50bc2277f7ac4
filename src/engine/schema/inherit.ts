/** Resolves `extends`: adds the inherited members to a declaration. */
import type {
  DeclaredEntity,
  DeclaredEnum,
  DeclaredMapping,
  DeclaredMappingEntity,
  DeclaredProperty,
  Extendable,
} from './declared.js';
import { childNode, report } from './document.js';
import { hintAt } from './hint.js';

/**
 * The declarations with everything that they inherit, in their order. A missing base or a cycle is
 * a problem; such a declaration inherits nothing.
 */
export function resolveExtends<Declaration extends Extendable>(
  declarations: readonly Declaration[],
  merge: (base: Declaration, own: Declaration) => Declaration,
): readonly Declaration[] {
  const byName = new Map(declarations.map((declaration) => [declaration.name, declaration]));
  const resolved = new Map<string, Declaration>();

  function resolve(own: Declaration, path: readonly string[]): Declaration {
    const known = resolved.get(own.name);
    if (known) return known;
    const base = findBase(own, byName, path);
    const result = base ? merge(resolve(base, [...path, own.name]), own) : own;
    resolved.set(own.name, result);
    return result;
  }

  return [...byName.values()].map((declaration) => resolve(declaration, []));
}

/**
 * An entity with its own members first, then its base's properties, keys, indexes, relations and
 * constraints. What either of them requires is required.
 */
export function extendEntity(base: DeclaredEntity, own: DeclaredEntity): DeclaredEntity {
  const required = own.required ?? base.required;
  const others = own.required && base.required ? base.required.value : [];
  return {
    ...base,
    ...own,
    ...(required && { required: { ...required, value: [...required.value, ...others] } }),
    properties: mergeNamed(base.properties, own.properties, extendProperty),
    indexes: mergeNamed(base.indexes, own.indexes),
    relations: mergeNamed(base.relations, own.relations),
    constraints: [...own.constraints, ...base.constraints],
  };
}

/** An enum with its own values first, then the other ones of its base. */
export function extendEnum(base: DeclaredEnum, own: DeclaredEnum): DeclaredEnum {
  return { ...own, values: mergeNamed(base.values, own.values) };
}

/** A mapping with the entities of its base; entities of the same name are merged. */
export function extendMapping(base: DeclaredMapping, own: DeclaredMapping): DeclaredMapping {
  return {
    ...own,
    entities: mergeNamed(base.entities, own.entities, (baseEntity, ownEntity) => ({
      ...baseEntity,
      ...extendMappingEntity(baseEntity, ownEntity),
    })),
  };
}

/**
 * A mapping entity with the table, filter and columns of its base, except those that it declares.
 */
export function extendMappingEntity(
  base: DeclaredMappingEntity,
  own: DeclaredMappingEntity,
): DeclaredMappingEntity {
  const { abstract: _abstract, extends: _extends, ...inherited } = base;
  return {
    ...inherited,
    ...own,
    properties: mergeNamed(base.properties, own.properties, extendProperty),
  };
}

function findBase<Declaration extends Extendable>(
  own: Declaration,
  byName: ReadonlyMap<string, Declaration>,
  path: readonly string[],
): Declaration | undefined {
  if (own.extends === undefined) return undefined;
  const node = childNode(own.node, 'extends');
  const base = byName.get(own.extends);
  if (!base) {
    const hint = hintAt(node, own.extends, byName.keys());
    report(node, `There is no '${own.extends}' to extend.`, hint);
    return undefined;
  }
  const chain = [...path, own.name];
  const start = chain.indexOf(base.name);
  if (start < 0) return base;
  report(node, `'${base.name}' extends itself: ${chain.slice(start).join(' → ')} → ${base.name}.`);
  return undefined;
}

function extendProperty<Declared extends DeclaredProperty>(
  base: Declared,
  own: Declared,
): Declared {
  return { ...base, ...own, members: { ...base.members, ...own.members } };
}

/**
 * The entity's own items, merged with those of the base with the same name, then the base's other
 * items. Without `merge`, an item replaces that of the base.
 */
function mergeNamed<Item extends { readonly name: string }>(
  base: readonly Item[],
  own: readonly Item[],
  merge = (_: Item, item: Item) => item,
): readonly Item[] {
  const inherited = new Map(base.map((item) => [item.name, item]));
  const merged = own.map((item) => {
    const same = inherited.get(item.name);
    inherited.delete(item.name);
    return same === undefined ? item : merge(same, item);
  });
  return [...merged, ...inherited.values()];
}
