/** The types of a domain as a TypeScript file, which `@rowgate/client` reads. It imports nothing. */
import {
  type DomainDescription,
  type EntityDescription,
  keyHolder,
  type PropertyDescription,
  type RelationDescription,
} from '../engine/index.js';

/** The text of the file: `export interface Domain`, with a member for each entity. */
export function domainTypes(domain: DomainDescription): string {
  const enums = new Map(domain.enums.map(({ name, values }) => [name, values]));
  const valuesOf = (name: string) =>
    (enums.get(name) ?? []).map(({ value }) => JSON.stringify(value)).join(' | ') || 'never';
  return [
    '/** The types of a domain for `@rowgate/client`. Written by `rowgate types`: do not edit. */',
    'export interface Domain {',
    ...domain.entities.flatMap((entity) => entityLines(entity, { domain, valuesOf })),
    '}',
    '',
  ].join('\n');
}

interface Whole {
  readonly domain: DomainDescription;
  readonly valuesOf: (enumName: string) => string;
}

function entityLines(entity: EntityDescription, whole: Whole): string[] {
  const place = { ...whole, entity };
  const properties = entity.properties.map((property) => propertyLine(property, place));
  const relations = entity.relations.map((relation) => relationLine(relation, place));
  return [
    ...comment(entity.description, '  '),
    `  ${memberName(entity.name)}: {`,
    `    key: ${union(entity.primaryKey)};`,
    ...(entity.readOnly ? ['    readOnly: true;'] : []),
    ...block('properties', properties),
    ...block('relations', relations),
    '  };',
  ];
}

function block(name: string, members: readonly (readonly string[])[]): string[] {
  if (members.length === 0) return [`    ${name}: {};`];
  return [`    ${name}: {`, ...members.flat().map((line) => `      ${line}`), '    };'];
}

interface Place extends Whole {
  readonly entity: EntityDescription;
}

function propertyLine(property: PropertyDescription, { entity, valuesOf }: Place): string[] {
  const { name, type, enum: enumName, description } = property;
  const members = [
    `type: '${type}'`,
    ...(enumName === undefined ? [] : [`values: ${valuesOf(enumName)}`]),
    ...(isNullable(property, entity) ? ['nullable: true'] : []),
    ...(isOptional(property) ? ['optional: true'] : []),
    ...(property.readOnly ? ['readOnly: true'] : []),
  ];
  return [...comment(description, ''), `${memberName(name)}: { ${members.join('; ')} };`];
}

function isNullable(property: PropertyDescription, entity: EntityDescription): boolean {
  const { name, required, autoIncrement = false } = property;
  return !required && !autoIncrement && !entity.primaryKey.includes(name);
}

/** Whether an insert may omit the property, because something else provides its value. */
function isOptional(property: PropertyDescription): boolean {
  const { autoIncrement = false, databaseDefault = false } = property;
  return autoIncrement || databaseDefault || property.default !== undefined;
}

function relationLine(relation: RelationDescription, place: Place): string[] {
  const from = [relation.from].flat();
  const isMany = relation.type === 'manyToOne';
  const members = [
    `entity: ${quoted(relation.entity)}`,
    ...(isMany ? ['many: true'] : []),
    ...(!isMany && isPerhaps(relation, from, place) ? ['nullable: true'] : []),
    `from: ${union(from)}`,
    `to: ${union([relation.to].flat())}`,
    ...(relation.through ? ['readOnly: true'] : []),
  ];
  return [`${memberName(relation.name)}: { ${members.join('; ')} };`];
}

/** Whether a relation to one row may lead to none: its key can be null or is not enforced, or the other row has it. */
function isPerhaps(
  relation: RelationDescription,
  from: readonly string[],
  { entity, domain }: Place,
): boolean {
  if (relation.weak && (relation.type === 'oneToOne' || !isInverse(relation, domain))) return true;
  if (relation.type === 'oneToOne' && !isHeldBy(entity, relation, domain)) return true;
  return entity.properties.some(
    (property) => from.includes(property.name) && isNullable(property, entity),
  );
}

/** Whether the entity certainly has the key of its one-to-one relation. */
function isHeldBy(
  owner: EntityDescription,
  relation: RelationDescription,
  domain: DomainDescription,
) {
  const target = domain.entities.find(({ name }) => name === relation.entity);
  if (!target) return true;
  const endsOf = ({ from, to }: RelationDescription) => ({
    from: [from].flat(),
    to: [to].flat(),
  });
  const relations = target.relations.map((each) => ({ ...each, ...endsOf(each) }));
  const ends = endsOf(relation);
  return keyHolder(owner, ends, { ...target, relations }) === 'owner';
}

/** An inverse is described as weak. If the declared relation is not weak, its key is enforced. */
function isInverse({ entity, target }: RelationDescription, { entities }: DomainDescription) {
  const other = entities.find(({ name }) => name === entity);
  return other?.relations.some(({ name, weak }) => name === target && !weak) ?? false;
}

function comment(text: string | undefined, indent: string): string[] {
  if (text === undefined) return [];
  return [`${indent}/** ${text.replaceAll('*/', '*∕').replaceAll(/\s+/g, ' ').trim()} */`];
}

function union(names: readonly string[]): string {
  return names.length === 0 ? 'never' : names.map(quoted).join(' | ');
}

function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

function quoted(name: string): string {
  return `'${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
