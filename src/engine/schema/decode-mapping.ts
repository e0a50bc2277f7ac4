/** Decodes the declarations of mappings. */
import { decodeNamed } from './decode-named.js';
import { decodePropertyMembers } from './decode-property.js';
import { readFlag, readMembers, readText } from './decode-value.js';
import type {
  DeclaredMapping,
  DeclaredMappingEntity,
  DeclaredMappingProperty,
} from './declared.js';
import { type DocumentNode, childNode } from './document.js';

export function decodeMappings(list: DocumentNode): readonly DeclaredMapping[] {
  return decodeNamed(list, 'mapping', (node, name) => ({
    name,
    node,
    ...readMembers(node, { extends: readText }),
    entities: decodeNamed(childNode(node, 'entities'), 'mappingEntity', decodeMappingEntity),
  }));
}

function decodeMappingEntity(node: DocumentNode, name: string): DeclaredMappingEntity {
  return {
    name,
    node,
    ...readMembers(node, {
      abstract: readFlag,
      extends: readText,
      mapping: readText,
      view: readFlag,
      filter: readText,
    }),
    properties: decodeNamed(childNode(node, 'properties'), 'mappingProperty', decodeColumn),
  };
}

function decodeColumn(node: DocumentNode, name: string): DeclaredMappingProperty {
  return {
    name,
    node,
    members: decodePropertyMembers(node),
    ...readMembers(node, { mapping: readText, readMappingExp: readText }),
  };
}
