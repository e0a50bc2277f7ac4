/** Decodes the declarations of sources, stages and views. */
import { decodeConnection } from './decode-connection.js';
import { decodeNamed } from './decode-named.js';
import { readChoice, readFlag, readMembers, readText } from './decode-value.js';
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

/** The sources in a list. An unsupported dialect is a problem. */
export function decodeSources(list: DocumentNode): readonly DeclaredSource[] {
  return decodeNamed(list, 'source', (node, name) => {
    const dialectNode = childNode(node, 'dialect');
    if (isAbsent(dialectNode)) report(dialectNode, `The source '${name}' has no dialect.`);
    const dialect = readChoice(dialectNode, dialectNames);
    return {
      name,
      node,
      dialect: dialect ?? 'PostgreSQL',
      ...readMembers(node, { mapping: readText }),
      connection: decodeConnection(childNode(node, 'connection'), dialect),
    };
  });
}

/** The stages in a list. As in lambdaorm, a stage that names no sources has the first one. */
export function decodeStages(
  list: DocumentNode,
  [first]: readonly DeclaredSource[],
): readonly Declared<Stage>[] {
  return decodeNamed(list, 'stage', (node, name) => {
    const current = childNode(node, 'sources');
    const listed = isAbsent(current) ? childNode(node, 'dataSources') : current;
    const sources = isAbsent(listed)
      ? [{ name: first?.name ?? 'default' }]
      : decodeNamed(listed, 'stageSource', decodeStageSource);
    if (sources.length === 0) report(current, `The stage '${name}' has no sources.`);
    return { node, value: { name, ...readMembers(node, { view: readText }), sources } };
  });
}

function decodeStageSource(node: DocumentNode, name: string): StageSource {
  return { name, ...readMembers(node, { condition: readText }) };
}

export function decodeViews(list: DocumentNode): readonly Declared<View>[] {
  return decodeNamed(list, 'view', (node, name) => {
    const entities = decodeNamed(childNode(node, 'entities'), 'viewEntity', decodeViewEntity);
    return { node, value: { name, entities } };
  });
}

function decodeViewEntity(node: DocumentNode, name: string): ViewEntity {
  return {
    ...decodeViewProperty(node, name),
    properties: decodeNamed(childNode(node, 'properties'), 'viewProperty', decodeViewProperty),
  };
}

function decodeViewProperty(node: DocumentNode, name: string): ViewProperty {
  return { name, ...readMembers(node, { exclude: readFlag, readExp: readText }) };
}
