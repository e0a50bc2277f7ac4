/**
 * Decodes the sections of a schema document. Other sections and members (`paths`, `service`,
 * `queue`, …) belong to lambdaorm's tools, and are ignored unless their names are nearly those of others.
 */
import { didYouMean } from '../language/did-you-mean.js';
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
  const sources = decodeSources(childNode(infrastructure, 'sources'));
  const hint = isAbsent(domain) ? olderFormHint(root) : undefined;
  if (isRecord(root.value) && isAbsent(domain)) {
    report(domain, "The section 'domain' is missing.", hint);
  }
  if (hint === undefined) refuseUnread(root);
  return {
    version: decodeVersion(root, domain),
    enums: decodeEnums(childNode(domain, 'enums')),
    entities: decodeNamed(childNode(domain, 'entities'), 'entity', decodeEntity),
    mappings: decodeMappings(childNode(infrastructure, 'mappings')),
    sources,
    stages: decodeStages(childNode(infrastructure, 'stages'), sources),
    views: decodeViews(childNode(infrastructure, 'views')),
    listeners: decodeListeners(childNode(application, 'listeners')),
  };
}

const membersOfSections = {
  domain: ['entities', 'enums'],
  infrastructure: ['mappings', 'sources', 'stages', 'views'],
  application: ['listeners'],
};
/** The members of lambdaorm's older versions that have other names now. */
const olderNames: Readonly<Record<string, string>> = {
  model: 'domain',
  data: 'infrastructure',
  dataSources: 'sources',
};

const membersOfOlder = {
  entities: 1,
  enums: 1,
  mappings: 1,
  sources: 1,
  dataSources: 1,
  stages: 1,
};

/**
 * Reports members that would be ignored although they were meant to be read: such as sources beside their
 * section or with a misspelt name, whose databases would not be used.
 */
function refuseUnread(root: DocumentNode): void {
  refuseUnreadIn(root, Object.keys(membersOfSections));
  for (const [name, members] of Object.entries(membersOfSections)) {
    refuseUnreadIn(childNode(root, name), members);
  }
}

/** The other members of lambdaorm (`paths`, `service`, `start`, …), and those of users, differ in more than a letter. */
function refuseUnreadIn(node: DocumentNode, members: readonly string[]): void {
  if (!isRecord(node.value)) return;
  const others = Object.entries(membersOfSections).filter(([section]) => section !== node.key);
  for (const [key, value] of Object.entries(node.value)) {
    // By convention, `x-…` holds what the rest of the file refers to.
    if ([...members, 'version'].includes(key) || !/^(?!x-)[a-z]/i.test(key)) continue;
    const member = childNode(node, key);
    const [owner] = others.find(([, of]) => of.includes(key)) ?? [];
    const newer = newerName(key, value);
    const isOlder = newer !== undefined && members.includes(newer);
    const hint = isOlder ? `Its name is '${newer}' now.` : didYouMean(key, members, 1);
    if (owner !== undefined) report(member, `'${key}' must be in the section '${owner}'.`);
    else if (hint !== undefined) report(member, `There is no member '${key}' here.`, hint);
  }
}

/** What a member of an older version is called now, if its value has that form. */
function newerName(key: string, value: unknown): string | undefined {
  if (!Object.hasOwn(olderNames, key)) return undefined;
  const isOlder = isRecord(value) && Object.keys(value).some((each) => each in membersOfOlder);
  return isOlder || Array.isArray(value) ? olderNames[key] : undefined;
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

const versionPattern = /^\d+\.\d+\.\d+$/;

/** The version of the domain; without one, that of the root, where any other text has always been ignored. */
function decodeVersion(root: DocumentNode, domain: DocumentNode): string {
  const node = childNode(domain, 'version');
  if (isAbsent(node)) {
    const { value } = childNode(root, 'version');
    return typeof value === 'string' && versionPattern.test(value) ? value : defaultVersion;
  }
  const version = readText(node) ?? defaultVersion;
  if (!versionPattern.test(version)) {
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
