/** Decodes the declarations of sources, stages and views. */
import { decodeConnection } from './decode-connection.js';
import { decodeNamed } from './decode-named.js';
import { checkKeys, present, readChoice, readFlag, readText, readMember } from './decode-value.js';
import type { Declared, DeclaredSource } from './declared.js';
import { type DocumentNode, childNode, isAbsent, report } from './document.js';
import {
  dialectNames,
  type Stage,
  type StageSource,
  type View,
  type ViewEntity,
  type ViewProperty,
} from './model.js';
import { schemaKeys } from './keys.js';

/** The sources in a list. An unsupported dialect is a problem. */
export function decodeSources(list: DocumentNode): readonly DeclaredSource[] {
  return decodeNamed(list, 'sources', (node, name) => {
    checkKeys(node, schemaKeys.source);
    const dialectNode = childNode(node, 'dialect');
    if (isAbsent(dialectNode)) report(dialectNode, `The source '${name}' has no dialect.`);
    return {
      name,
      node,
      dialect: readChoice(dialectNode, dialectNames) ?? 'PostgreSQL',
      ...present({ mapping: readMember(node, 'mapping', readText) }),
      connection: decodeConnection(childNode(node, 'connection')),
    };
  });
}

/** The stages in a list. */
export function decodeStages(list: DocumentNode): readonly Declared<Stage>[] {
  return decodeNamed(list, 'stages', (node, name) => {
    checkKeys(node, schemaKeys.stage);
    const current = childNode(node, 'sources');
    const listed = isAbsent(current) ? childNode(node, 'dataSources') : current;
    const sources = decodeNamed(listed, 'sources', decodeStageSource);
    if (sources.length === 0) report(current, `The stage '${name}' has no sources.`);
    const view = present({ view: readMember(node, 'view', readText) });
    return { node, value: { name, ...view, sources } };
  });
}

function decodeStageSource(node: DocumentNode, name: string): StageSource {
  checkKeys(node, schemaKeys.stageSource);
  return { name, ...present({ condition: readMember(node, 'condition', readText) }) };
}

/** The views in a list. */
export function decodeViews(list: DocumentNode): readonly Declared<View>[] {
  return decodeNamed(list, 'views', (node, name) => {
    checkKeys(node, schemaKeys.view);
    const entities = decodeNamed(childNode(node, 'entities'), 'entities', decodeViewEntity);
    return { node, value: { name, entities } };
  });
}

function decodeViewEntity(node: DocumentNode, name: string): ViewEntity {
  checkKeys(node, schemaKeys.viewEntity);
  return {
    name,
    ...decodeRestriction(node),
    properties: decodeNamed(childNode(node, 'properties'), 'properties', decodeViewProperty),
  };
}

function decodeViewProperty(node: DocumentNode, name: string): ViewProperty {
  checkKeys(node, schemaKeys.viewProperty);
  return { name, ...decodeRestriction(node) };
}

function decodeRestriction(node: DocumentNode): Omit<ViewProperty, 'name'> {
  return present({
    exclude: readMember(node, 'exclude', readFlag),
    readExp: readMember(node, 'readExp', readText),
  });
}
