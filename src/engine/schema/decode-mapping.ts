/** Decodes the declarations of mappings. */
import { decodeNamed } from './decode-named.js';
import { decodePropertyMembers } from './decode-property.js';
import { checkKeys, present, readFlag, readText, readMember } from './decode-value.js';
import type {
  DeclaredMapping,
  DeclaredMappingEntity,
  DeclaredMappingProperty,
} from './declared.js';
import { type DocumentNode, childNode } from './document.js';
import { schemaKeys } from './keys.js';

/** The mappings in a list. */
export function decodeMappings(list: DocumentNode): readonly DeclaredMapping[] {
  return decodeNamed(list, 'mappings', (node, name) => {
    checkKeys(node, schemaKeys.mapping);
    return {
      name,
      node,
      ...present({ extends: readMember(node, 'extends', readText) }),
      entities: decodeNamed(childNode(node, 'entities'), 'entities', decodeMappingEntity),
    };
  });
}

function decodeMappingEntity(node: DocumentNode, name: string): DeclaredMappingEntity {
  checkKeys(node, schemaKeys.mappingEntity);
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

function decodeMappingProperty(node: DocumentNode, name: string): DeclaredMappingProperty {
  checkKeys(node, schemaKeys.mappingProperty);
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
