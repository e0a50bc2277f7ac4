/**
 * Decodes the sections of a schema document. Other sections and members (`paths`, `service`,
 * `queue`, …) belong to lambdaorm's tools, and are ignored.
 */
import { decodeListeners } from './decode-application.js';
import { decodeEntity } from './decode-entity.js';
import { decodeSources, decodeStages, decodeViews } from './decode-infrastructure.js';
import { decodeMappings } from './decode-mapping.js';
import { readFlag, readMember, readMembers, readScalar, readText } from './decode-value.js';
import type { DeclaredEnum, DeclaredSchema } from './declared.js';
import {
  type DocumentNode,
  childNode,
  describeKind,
  hasMember,
  isAbsent,
  isRecord,
  report,
} from './document.js';
import { decodeNamed } from './decode-named.js';
import type { Enum } from './model.js';

const defaultVersion = '1.0.0';

/** The declarations of a whole document. Invalid ones are reported at their nodes and omitted. */
export function decodeSchema(root: DocumentNode): DeclaredSchema {
  if (!isRecord(root.value)) {
    report(root, `A schema must be an object with a domain; found ${describeKind(root.value)}.`);
  }
  const domain = section(root, 'domain');
  const infrastructure = section(root, 'infrastructure');
  const application = section(root, 'application');
  if (isRecord(root.value) && isAbsent(domain)) {
    report(domain, "The section 'domain' is missing.", olderFormHint(root));
  } else refuseMisplaced(root);
  return {
    version: decodeVersion(childNode(domain, 'version')),
    enums: decodeEnums(childNode(domain, 'enums')),
    entities: decodeNamed(childNode(domain, 'entities'), 'entity', decodeEntity),
    mappings: decodeMappings(childNode(infrastructure, 'mappings')),
    sources: decodeSources(childNode(infrastructure, 'sources')),
    stages: decodeStages(childNode(infrastructure, 'stages')),
    views: decodeViews(childNode(infrastructure, 'views')),
    listeners: decodeListeners(childNode(application, 'listeners')),
  };
}

const membersOfSections = {
  domain: ['entities', 'enums'],
  infrastructure: ['mappings', 'sources', 'stages', 'views'],
  application: ['listeners'],
};

/** Members beside the sections that would be ignored, such as a source whose database would not be used. */
function refuseMisplaced(root: DocumentNode): void {
  for (const [name, members] of Object.entries(membersOfSections)) {
    for (const member of members) {
      if (!hasMember(root, member)) continue;
      report(childNode(root, member), `'${member}' must be in the section '${name}'.`);
    }
  }
}

/** How to rewrite the sections of older versions of lambdaorm; undefined if there are none. */
function olderFormHint(root: DocumentNode): string | undefined {
  if (hasMember(root, 'entities')) {
    return "Move 'entities' and 'enums' into 'domain', and 'mappings', 'sources', 'stages' and 'views' into 'infrastructure'.";
  }
  if (!hasMember(root, 'model')) return undefined;
  return hasMember(root, 'data')
    ? "Rename 'model' to 'domain' and 'data' to 'infrastructure', and move 'views' there."
    : "Rename 'model' to 'domain'.";
}

function section(root: DocumentNode, name: string): DocumentNode {
  const node = childNode(root, name);
  if (!isAbsent(node) && !isRecord(node.value)) {
    report(node, `Expected an object, found ${describeKind(node.value)}.`);
  }
  return node;
}

function decodeVersion(node: DocumentNode): string {
  const version = readText(node) ?? defaultVersion;
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    report(node, `'${version}' is not a valid version.`, "A version looks like '1.0.0'.");
  }
  return version;
}

/** The enums in a list. The value of an element defaults to its name. */
function decodeEnums(list: DocumentNode): readonly DeclaredEnum[] {
  return decodeNamed(list, 'enum', (node, name) => ({
    name,
    node,
    abstract: readMember(node, 'abstract', readFlag) ?? false,
    ...readMembers(node, { extends: readText }),
    values: decodeNamed(childNode(node, 'values'), 'enumValue', decodeValue),
  }));
}

function decodeValue(node: DocumentNode, name: string): Enum['values'][number] {
  return { name, value: readMember(node, 'value', readScalar) ?? name };
}
