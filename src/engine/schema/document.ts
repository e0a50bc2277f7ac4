/**
 * Nodes of a schema document, and the problems found at them. A place is written out only when a
 * problem is reported, so that walking a valid document of thousands of entities is cheap.
 */
import { EngineError, type Problem } from '../errors.js';

/** A value of the document, and its path from the root. */
export interface DocumentNode {
  readonly value: unknown;
  /** The name of the member or the index of the element; `''` for the root. */
  readonly key: string | number;
  readonly parent: DocumentNode | undefined;
  /** The problems found so far, shared by all nodes of a document. */
  readonly problems: Problem[];
}

/** Far more than a schema needs. */
const NESTING_MAX = 100;

/**
 * The root node of a document. If the document nests too deeply to be read, or contains itself, that is
 * reported, and the node is that of an empty document.
 */
export function rootNode(value: unknown, problems: Problem[]): DocumentNode {
  const root: DocumentNode = { value, key: '', parent: undefined, problems };
  if (!isDeeper(value, NESTING_MAX)) return root;
  const members = isRecord(value) ? Object.keys(value).map((key) => childNode(root, key)) : [];
  const deep = members.find((member) => isDeeper(member.value, NESTING_MAX - 1)) ?? root;
  report(deep, `The document nests deeper than ${NESTING_MAX} levels, or contains itself.`);
  return { ...root, value: {} };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

/** The node of a member or element; its value is `undefined` if there is none. */
export function childNode(node: DocumentNode, key: string | number): DocumentNode {
  const { value: parent, problems } = node;
  const has = (isRecord(parent) || Array.isArray(parent)) && Object.hasOwn(parent, key);
  return { value: has ? Reflect.get(parent, key) : undefined, key, parent: node, problems };
}

/** Whether the node is an object with such a member. */
export function hasMember(node: DocumentNode, key: string): boolean {
  return isRecord(node.value) && Object.hasOwn(node.value, key);
}

/** The elements of a list; none if it is absent. Anything but a list is reported. */
export function listNodes(node: DocumentNode): readonly DocumentNode[] {
  if (isAbsent(node)) return [];
  if (Array.isArray(node.value)) return node.value.map((_, index) => childNode(node, index));
  report(node, `Expected a list, found ${describeKind(node.value)}.`);
  return [];
}

/** The elements of a list by their names. */
export function namedNodes(node: DocumentNode): ReadonlyMap<unknown, DocumentNode> {
  return new Map(listNodes(node).map((each) => [childNode(each, 'name').value, each]));
}

/** Whether there is no value at the node; an empty YAML member (`enums:`) counts as none. */
export function isAbsent(node: DocumentNode): boolean {
  return node.value === undefined || node.value === null;
}

/** Adds a problem at the node, once. The detail is a sentence, and the hint says how to fix it. */
export function report(node: DocumentNode, detail: string, hint?: string): void {
  const place = placeOf(node);
  if (node.problems.some((each) => each.detail === detail && each.place === (place || undefined)))
    return;
  node.problems.push({
    code: 'schema-invalid',
    detail,
    ...(place !== '' && { place }),
    ...(hint !== undefined && { hint }),
  });
}

/** The result of `make`. An EngineError is reported at the node, and gives undefined. */
export function orReport<Result>(node: DocumentNode, make: () => Result): Result | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    report(node, error.message, error.hint);
    return undefined;
  }
}

/** The place of a node in problems: `domain.entities[3].name`; `''` for the root. */
function placeOf(node: DocumentNode): string {
  if (!node.parent) return '';
  const before = placeOf(node.parent);
  if (typeof node.key === 'number') return `${before}[${node.key}]`;
  return before === '' ? node.key : `${before}.${node.key}`;
}

/** Whether a value is an object, not a list or null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Describes the kind of a value for a problem. */
export function describeKind(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}
