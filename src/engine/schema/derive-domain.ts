/**
 * Derives the entities of the domain from their declarations: inheritance, defaults, relations and
 * checks.
 */
import type { Declared, DeclaredEntity, DeclaredEnum } from './declared.js';
import { present } from './decode-value.js';
import { deriveProperty } from './derive-property.js';
import { type RelatedEntity, deriveRelations } from './derive-relations.js';
import { childNode, report } from './document.js';
import { checkName } from './hint.js';
import { extendEntity, extendEnum, resolveExtends } from './inherit.js';
import type { Entity, Enum, Property } from './model.js';

/** The enums that are not abstract. */
export function deriveEnums(declarations: readonly DeclaredEnum[]): readonly Enum[] {
  return resolveExtends(declarations, extendEnum)
    .filter((each) => !each.abstract)
    .map(({ name, values }) => ({ name, values }));
}

/** The entities that are not abstract. `hadViewReadExp` is set later, when the views are known. */
export function deriveEntities(
  declarations: readonly DeclaredEntity[],
  enums: readonly Enum[],
): readonly Entity[] {
  const enumsByName = new Map(enums.map((each) => [each.name, each]));
  const concrete = resolveExtends(declarations, extendEntity).filter((each) => !each.abstract);
  const related = new Map(
    concrete.map((declared) => [declared.name, relate(declared, enumsByName)]),
  );
  deriveRelations(related);
  return concrete.flatMap((declared) => {
    const entity = related.get(declared.name);
    return entity ? completeEntity(declared, entity, related) : [];
  });
}

function relate(declared: DeclaredEntity, enums: ReadonlyMap<string, Enum>): RelatedEntity {
  const required = new Set(declared.required?.value);
  const properties = declared.properties.map((each) =>
    deriveProperty(each, { enums, isRequired: required.has(each.name) }),
  );
  return {
    name: declared.name,
    properties: new Map(properties.map((property) => [property.name, property])),
    declared: declared.relations,
    relations: new Map(),
    dependents: [],
  };
}

function completeEntity(
  declared: DeclaredEntity,
  related: RelatedEntity,
  entities: ReadonlyMap<string, RelatedEntity>,
): Entity {
  checkNames(declared, related.properties);
  const properties = [...related.properties.values()];
  const primaryKey = primaryKeyOf(declared);
  return {
    name: declared.name,
    ...present({ description: declared.description }),
    primaryKey,
    uniqueKey: declared.uniqueKey?.value ?? [],
    properties,
    required: declared.required?.value ?? [],
    indexes: declared.indexes.map(({ name, fields }) => ({ name, fields })),
    relations: [...related.relations.values()],
    dependents: related.dependents,
    constraints: declared.constraints,
    composite: primaryKey.length > 1 || isPart(declared.name, entities),
    ...deriveFlags(properties),
    hadViewReadExp: false,
    view: declared.view ?? false,
  };
}

/** lambdaorm can also mark the properties of the key. */
function primaryKeyOf({ primaryKey, properties }: DeclaredEntity): readonly string[] {
  const listed = primaryKey?.value ?? [];
  if (listed.length > 0) return listed;
  return properties.filter((each) => each.primaryKey).map(({ name }) => name);
}

function isPart(name: string, entities: ReadonlyMap<string, unknown>): boolean {
  const dot = name.lastIndexOf('.');
  return dot > 0 && entities.has(name.slice(0, dot));
}

function checkNames(declared: DeclaredEntity, properties: ReadonlyMap<string, Property>): void {
  if (properties.size === 0) {
    const node = childNode(declared.node, 'properties');
    report(node, `The entity '${declared.name}' has no properties.`);
  }
  const { primaryKey, uniqueKey, required } = declared;
  const lists = [primaryKey, uniqueKey, required].filter((list) => list !== undefined);
  const indexes = declared.indexes.map(({ node, fields }) => ({ node, value: fields }));
  for (const list of [...lists, ...indexes]) checkFields(list, declared.name, properties);
}

function checkFields(
  list: Declared<readonly string[]>,
  entity: string,
  properties: ReadonlyMap<string, Property>,
): void {
  list.value.forEach((name, index) => {
    const node = childNode(list.node, index);
    const otherwise = 'Remove it from the list, or add it to the properties.';
    checkName(node, { what: 'property', name, known: properties, owner: entity, otherwise });
  });
}

/** Which kinds of expressions the properties have. */
export function deriveFlags(properties: readonly Property[]) {
  return {
    hadReadExps: properties.some((property) => property.readExp !== undefined),
    hadWriteExps: properties.some((property) => property.writeExp !== undefined),
    hadReadValues: properties.some((property) => property.readValue !== undefined),
    hadWriteValues: properties.some((property) => property.writeValue !== undefined),
    hadDefaults: properties.some((property) => property.default !== undefined),
  };
}
