/** Decodes the declarations of mappings. */
import { decodeNamed } from './decode-named.js';
import { decodePropertyMembers, propertyKeys } from './decode-property.js';
import { checkKeys, present, readFlag, readText, readMember } from './decode-value.js';
import type {
  DeclaredMapping,
  DeclaredMappingEntity,
  DeclaredMappingProperty,
} from './declared.js';
import { type DocumentNode, childNode } from './document.js';

/** The mappings in a list. */
export function decodeMappings(list: DocumentNode): readonly DeclaredMapping[] {
  return decodeNamed(list, 'mappings', (node, name) => {
    // `mapping` and `format` configure databases that Rowgate does not support.
    checkKeys(node, ['name', 'extends', 'entities', 'mapping', 'format']);
    return {
      name,
      node,
      ...present({ extends: readMember(node, 'extends', readText) }),
      entities: decodeNamed(childNode(node, 'entities'), 'entities', decodeMappingEntity),
    };
  });
}

// Identity columns replace `sequence`, which lambdaorm's files declare for Oracle.
const mappingEntityKeys = [
  'name',
  'abstract',
  'extends',
  'mapping',
  'filter',
  'sequence',
  'properties',
];

function decodeMappingEntity(node: DocumentNode, name: string): DeclaredMappingEntity {
  checkKeys(node, mappingEntityKeys);
  return {
    name,
    node,
    ...present({
      abstract: readMember(node, 'abstract', readFlag),
      extends: readMember(node, 'extends', readText),
      mapping: readMember(node, 'mapping', readText),
      filter: readMember(node, 'filter', readText),
    }),
    properties: decodeNamed(childNode(node, 'properties'), 'properties', decodeMappingProperty),
  };
}

const mappingPropertyKeys = [...propertyKeys, 'mapping', 'readMappingExp'];

function decodeMappingProperty(node: DocumentNode, name: string): DeclaredMappingProperty {
  checkKeys(node, mappingPropertyKeys);
  return {
    name,
    node,
    members: decodePropertyMembers(node),
    ...present({
      mapping: readMember(node, 'mapping', readText),
      readMappingExp: readMember(node, 'readMappingExp', readText),
    }),
  };
}
