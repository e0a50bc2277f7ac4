/**
 * A place in a schema document, and the problems found there. Places are spelled only when a
 * problem is reported, so that walking a sound document of thousands of entities stays cheap.
 */
import type { Problem } from '../errors.js';

/** A value of the document, and how it is reached from the root. */
export interface DocumentNode {
  readonly value: unknown;
  /** The name of the member, or the index of the element; `''` of the root. */
  readonly key: string | number;
  readonly parent: DocumentNode | undefined;
  /** Shared by all nodes of a document: what has been found wrong so far. */
  readonly problems: Problem[];
}

/** The node of a whole document. */
export function rootNode(value: unknown, problems: Problem[]): DocumentNode {
  return { value, key: '', parent: undefined, problems };
}

/** The node of a member or element; its value is `undefined` when there is none. */
export function childNode(node: DocumentNode, key: string | number): DocumentNode {
  const value =
    isRecord(node.value) || Array.isArray(node.value) ? own(node.value, key) : undefined;
  return { value, key, parent: node, problems: node.problems };
}

/** Whether the node is an object with such a member. */
export function hasMember(node: DocumentNode, key: string): boolean {
  return isRecord(node.value) && Object.hasOwn(node.value, key);
}

/** The elements of a list; none when it is absent. What is no list is reported. */
export function listNodes(node: DocumentNode): readonly DocumentNode[] {
  if (isAbsent(node)) return [];
  if (Array.isArray(node.value)) return node.value.map((_, index) => childNode(node, index));
  report(node, `Expected a list, found ${describeKind(node.value)}.`);
  return [];
}

/** Whether there is nothing at the node; an empty YAML member (`enums:`) is nothing, too. */
export function isAbsent(node: DocumentNode): boolean {
  return node.value === undefined || node.value === null;
}

/** Adds a problem at the node. The detail is a sentence; the hint tells how to mend it. */
export function report(node: DocumentNode, detail: string, hint?: string): void {
  const place = placeOf(node);
  node.problems.push({
    code: 'schema-invalid',
    detail,
    ...(place !== '' && { place }),
    ...(hint !== undefined && { hint }),
  });
}

/** The place of a node as it is written in problems: `domain.entities[3].name`; `''` of the root. */
function placeOf(node: DocumentNode): string {
  if (!node.parent) return '';
  const before = placeOf(node.parent);
  if (typeof node.key === 'number') return `${before}[${node.key}]`;
  return before === '' ? node.key : `${before}.${node.key}`;
}

/** Whether a value is an object with members (no list, not null). */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a value is, in words for a problem. */
export function describeKind(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}

function own(value: object, key: string | number): unknown {
  return Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}
