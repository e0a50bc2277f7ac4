/**
 * Readers of plain values in a schema document. They return `undefined` for an absent value, and
 * for an invalid one after reporting it.
 */
import {
  type DocumentNode,
  childNode,
  describeKind,
  hasMember,
  isAbsent,
  isRecord,
  listNodes,
  report,
} from './document.js';
import { hintAt } from './hint.js';
import type { SchemaScalar } from './model.js';

export function readText(node: DocumentNode): string | undefined {
  return readKind(node, 'text', (value) => (typeof value === 'string' ? value : undefined));
}

export function readFlag(node: DocumentNode, expected = 'true or false'): boolean | undefined {
  return readKind(node, expected, (value) => (typeof value === 'boolean' ? value : undefined));
}

/** `readOnly` of an entity or property, or `view`, its name in lambdaorm's files. */
export function readReadOnly(node: DocumentNode): boolean | undefined {
  return readMember(node, 'readOnly', readFlag) ?? readMember(node, 'view', readFlag);
}

/** A whole number, at least `least`. A string of digits is accepted, because variables are strings. */
export function readCount(node: DocumentNode, least: 0 | 1 = 1): number | undefined {
  const kind = least === 0 ? 'a whole number' : 'a whole number greater than zero';
  return readKind(node, kind, (value) => {
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    const isCount = typeof number === 'number' && Number.isSafeInteger(number) && number >= least;
    return isCount ? number : undefined;
  });
}

/** A text, number or boolean. */
export function readScalar(node: DocumentNode): SchemaScalar | undefined {
  return readKind(node, 'text, a number or a boolean', (value) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? value
      : undefined,
  );
}

/** One of some words, ignoring case. */
export function readChoice<Choice extends string>(
  node: DocumentNode,
  choices: readonly Choice[],
): Choice | undefined {
  const text = readText(node);
  if (text === undefined) return undefined;
  const wanted = text.toLowerCase();
  const found = choices.find((choice) => choice.toLowerCase() === wanted);
  if (found === undefined) {
    const hint = hintAt(node, text, choices) ?? `The choices are ${choices.join(', ')}.`;
    report(node, `'${text}' is not a valid choice.`, hint);
  }
  return found;
}

/** A list of strings; `undefined` if it is absent. */
export function readTexts(node: DocumentNode): readonly string[] | undefined {
  if (isAbsent(node)) return undefined;
  return listNodes(node).flatMap((element) => {
    if (isAbsent(element)) report(element, 'Expected text, found nothing.');
    return readText(element) ?? [];
  });
}

/** The `name` of an object. If it has none, that is reported, and the object is to be skipped. */
export function readName(node: DocumentNode): string | undefined {
  if (!isRecord(node.value)) {
    const isScalar = ['string', 'number'].includes(typeof node.value);
    const hint = isScalar ? `Write {name: ${JSON.stringify(String(node.value))}}.` : undefined;
    report(node, `Expected an object with a name, found ${describeKind(node.value)}.`, hint);
    return undefined;
  }
  const nameNode = childNode(node, 'name');
  if (isAbsent(nameNode)) report(nameNode, 'A name is missing.');
  return readText(nameNode);
}

/** Applies `read` to a member if it exists. */
export function readMember<Value>(
  node: DocumentNode,
  key: string,
  read: (member: DocumentNode) => Value | undefined,
): Value | undefined {
  return hasMember(node, key) ? read(childNode(node, key)) : undefined;
}

type Readers = Readonly<Record<string, (member: DocumentNode) => unknown>>;
type Members<By extends Readers> = Present<{ [Name in keyof By]: ReturnType<By[Name]> }>;

/** The members of an object that are there and valid, each read by its reader. */
export function readMembers<By extends Readers>(node: DocumentNode, readers: By): Members<By> {
  const read: Record<string, unknown> = {};
  for (const name in readers) {
    const reader = readers[name];
    const value = reader && readMember(node, name, reader);
    if (value !== undefined) read[name] = value;
  }
  // The type is right: each member has the result of its reader.
  return read as Members<By>;
}

/** Reports every unknown member of an object. */
export function checkKeys(
  node: DocumentNode,
  known: readonly string[],
  hintFor = (key: string) => hintAt(node, key, known),
): void {
  if (!isRecord(node.value)) return;
  for (const key of Object.keys(node.value)) {
    if (known.includes(key)) continue;
    report(childNode(node, key), `There is no member '${key}' here.`, hintFor(key));
  }
}

type Present<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** The members of an object that are not `undefined`, so that an absent member has no key. */
export function present<Members extends object>(members: Members): Present<Members> {
  // A plain loop, because it runs for every property of every entity (`size.test.ts`).
  const kept: Partial<Members> = {};
  for (const name in members) {
    if (members[name] !== undefined) kept[name] = members[name];
  }
  // The type is right: the loop copies exactly the members that it does not exclude.
  return kept as Present<Members>;
}

function readKind<Value>(
  node: DocumentNode,
  expected: string,
  take: (value: unknown) => Value | undefined,
): Value | undefined {
  if (isAbsent(node)) return undefined;
  const value = take(node.value);
  if (value === undefined) {
    const isUnquoted = expected === 'text' && ['number', 'boolean'].includes(typeof node.value);
    const hint = isUnquoted ? 'Write text in quotes.' : undefined;
    report(node, `Expected ${expected}, found ${describeFound(node.value)}.`, hint);
  }
  return value;
}

function describeFound(value: unknown): string {
  return isRecord(value) || Array.isArray(value) ? describeKind(value) : JSON.stringify(value);
}
