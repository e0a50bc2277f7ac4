/**
 * Decodes the sections of a schema document. Sections and members beside the known ones (`paths`,
 * `service`, `queue`, …) belong to lambdaorm's other tools, and are passed over.
 */
import { decodeListeners } from './decode-application.js';
import { decodeEntities } from './decode-entity.js';
import { decodeEnums } from './decode-enum.js';
import { decodeSources, decodeStages, decodeViews } from './decode-infrastructure.js';
import { decodeMappings } from './decode-mapping.js';
import { readText } from './decode-value.js';
import type { DeclaredSchema } from './declared.js';
import type { DocumentNode } from './document.js';
import { childNode, describeKind, isAbsent, isRecord, report } from './document.js';

const defaultVersion = '1.0.0';

/** The declarations of a whole document. What is wrong is reported at its node, and left out. */
export function decodeSchema(root: DocumentNode): DeclaredSchema {
  if (!isRecord(root.value)) {
    report(root, `A schema is an object with a domain; found ${describeKind(root.value)}.`);
  }
  const domain = section(root, 'domain');
  const infrastructure = section(root, 'infrastructure');
  const application = section(root, 'application');
  if (isRecord(root.value) && isAbsent(domain)) report(domain, "The section 'domain' is missing.");
  return {
    version: decodeVersion(childNode(domain, 'version')),
    enums: decodeEnums(childNode(domain, 'enums')),
    entities: decodeEntities(childNode(domain, 'entities')),
    mappings: decodeMappings(childNode(infrastructure, 'mappings')),
    sources: decodeSources(childNode(infrastructure, 'sources')),
    stages: decodeStages(childNode(infrastructure, 'stages')),
    views: decodeViews(childNode(infrastructure, 'views')),
    listeners: decodeListeners(childNode(application, 'listeners')),
  };
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
    report(node, `'${version}' is no version.`, "A version looks like '1.0.0'.");
  }
  return version;
}
