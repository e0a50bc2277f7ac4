/** The types of a domain as a TypeScript file, which `@rowgate/client` reads. It imports nothing. */
import type {
  DomainDescription,
  EntityDescription,
  PropertyDescription,
  RelationDescription,
} from '../engine/index.js';

/** The text of the file: `export interface Domain`, with a member for each entity. */
export function domainTypes(domain: DomainDescription): string {
  const enums = new Map(domain.enums.map(({ name, values }) => [name, values]));
  const valuesOf = (name: string) =>
    (enums.get(name) ?? []).map(({ value }) => JSON.stringify(value)).join(' | ') || 'never';
  return [
    '/** The types of a domain for `@rowgate/client`. Written by `rowgate types`: do not edit. */',
    'export interface Domain {',
    ...domain.entities.flatMap((entity) => entityLines(entity, valuesOf)),
    '}',
    '',
  ].join('\n');
}

function entityLines(entity: EntityDescription, valuesOf: (name: string) => string): string[] {
  const properties = entity.properties.map((property) =>
    propertyLine(property, { entity, valuesOf }),
  );
  const relations = entity.relations.map((relation) => relationLine(relation, entity));
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

interface Place {
  readonly entity: EntityDescription;
  readonly valuesOf: (name: string) => string;
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

function isNullable({ name, required }: PropertyDescription, entity: EntityDescription): boolean {
  return !required && !entity.primaryKey.includes(name);
}

/** Whether an insert may omit the property, because something else provides its value. */
function isOptional(property: PropertyDescription): boolean {
  const { autoIncrement = false, databaseDefault = false } = property;
  return autoIncrement || databaseDefault || property.default !== undefined;
}

function relationLine(relation: RelationDescription, entity: EntityDescription): string[] {
  const from = [relation.from].flat();
  const isMany = relation.type === 'manyToOne';
  const members = [
    `entity: ${quoted(relation.entity)}`,
    ...(isMany ? ['many: true'] : []),
    ...(!isMany && isPerhaps(relation, from, entity) ? ['nullable: true'] : []),
    `from: ${union(from)}`,
    `to: ${union([relation.to].flat())}`,
    ...(relation.through ? ['readOnly: true'] : []),
  ];
  return [`${memberName(relation.name)}: { ${members.join('; ')} };`];
}

/** Whether a relation to one row may lead to none: its key can be null, or the other row has the key. */
function isPerhaps(
  { type, weak }: RelationDescription,
  from: readonly string[],
  entity: EntityDescription,
): boolean {
  if (type === 'oneToOne' && weak) return true;
  return entity.properties.some(
    (property) => from.includes(property.name) && isNullable(property, entity),
  );
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
