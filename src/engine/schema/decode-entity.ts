/** Decodes the declarations of entities. */
import { checkIdentifier, decodeNamed } from './decode-named.js';
import { decodeProperties } from './decode-property.js';
import {
  checkKeys,
  present,
  readChoice,
  readFlag,
  readText,
  readTexts,
  readMember,
  readMembers,
  readReadOnly,
} from './decode-value.js';
import type { Declared, DeclaredEntity, DeclaredIndex, DeclaredRelation } from './declared.js';
import { type DocumentNode, childNode, isAbsent, listNodes, report } from './document.js';
import type { Constraint, RelationType, Through } from './model.js';
import { schemaKeys } from './keys.js';

export function decodeEntity(node: DocumentNode, name: string): DeclaredEntity {
  checkIdentifier(node, name);
  return {
    name,
    node,
    abstract: readMember(node, 'abstract', readFlag) ?? false,
    ...present({ view: readReadOnly(node) }),
    ...readMembers(node, {
      extends: readText,
      description: readText,
      primaryKey: decodeKey,
      uniqueKey: decodeKey,
      required: decodeKey,
    }),
    properties: decodeProperties(childNode(node, 'properties')),
    indexes: decodeNamed(childNode(node, 'indexes'), 'index', decodeIndex),
    relations: decodeNamed(childNode(node, 'relations'), 'relation', decodeRelation),
    constraints: listNodes(childNode(node, 'constraints')).flatMap(
      (constraint) => decodeConstraint(constraint) ?? [],
    ),
  };
}

function decodeKey(node: DocumentNode): Declared<readonly string[]> | undefined {
  const value = readTexts(node);
  return value === undefined ? undefined : { node, value };
}

function decodeIndex(node: DocumentNode, name: string): DeclaredIndex {
  const fields = childNode(node, 'fields');
  return { node: fields, name, fields: readTexts(fields) ?? [] };
}

const relationTypes: readonly RelationType[] = ['oneToMany', 'manyToOne', 'oneToOne'];

function decodeRelation(node: DocumentNode, name: string): DeclaredRelation | undefined {
  checkIdentifier(node, name);
  const ends = decodeEnds(node);
  if (!ends) return undefined;
  const through = readMember(node, 'through', decodeThrough);
  const usual = through ? 'manyToOne' : 'oneToMany';
  const type = readChoice(childNode(node, 'type'), relationTypes) ?? usual;
  if (through && type !== usual) {
    const detail = `A relation through a join table is '${usual}': it leads to many.`;
    report(childNode(node, 'type'), detail);
  }
  return {
    name,
    node,
    type,
    ...ends,
    weak: readMember(node, 'weak', readFlag) ?? false,
    ...(through && { through }),
    ...readMembers(node, { target: readText, composite: readFlag, targetComposite: readFlag }),
  };
}

function decodeThrough(node: DocumentNode): Through | undefined {
  checkKeys(node, schemaKeys.through);
  return decodeEnds(node);
}

/** The entity to which a relation leads, and the names of the properties at both of its ends. */
function decodeEnds(node: DocumentNode): Through | undefined {
  const from = readNames(childNode(node, 'from'));
  const entity = readNeeded(childNode(node, 'entity'));
  const to = readNames(childNode(node, 'to'));
  if (from === undefined || entity === undefined || to === undefined) return undefined;
  return { entity, from, to };
}

function decodeConstraint(node: DocumentNode): Constraint | undefined {
  checkKeys(node, schemaKeys.constraint);
  const message = readNeeded(childNode(node, 'message'));
  const condition = readNeeded(childNode(node, 'condition'));
  return message === undefined || condition === undefined ? undefined : { message, condition };
}

function readNames(node: DocumentNode): readonly string[] | undefined {
  if (!Array.isArray(node.value)) {
    const name = readNeeded(node);
    return name === undefined ? undefined : [name];
  }
  const names = readTexts(node) ?? [];
  if (node.value.length === 0) report(node, 'Expected a name, or a list of names.');
  return names.length === node.value.length && names.length > 0 ? names : undefined;
}

function readNeeded(node: DocumentNode): string | undefined {
  if (isAbsent(node)) report(node, `The member '${node.key}' is missing.`);
  return readText(node);
}
