/**
 * Readers of the plain values in a schema document. Each answers `undefined` for what is absent and,
 * after reporting it, for what is wrong.
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

/** A text. */
export function readText(node: DocumentNode): string | undefined {
  return readKind(node, 'text', (value) => (typeof value === 'string' ? value : undefined));
}

/** `true` or `false`. */
export function readFlag(node: DocumentNode): boolean | undefined {
  return readKind(node, 'true or false', (value) =>
    typeof value === 'boolean' ? value : undefined,
  );
}

/** `readOnly` of an entity or property, which lambdaorm's files call `view`. */
export function readReadOnly(node: DocumentNode): boolean | undefined {
  return readMember(node, 'readOnly', readFlag) ?? readMember(node, 'view', readFlag);
}

/** A whole number greater than zero; digits in a text are taken too, as variables yield them. */
export function readCount(node: DocumentNode): number | undefined {
  return readKind(node, 'a whole number greater than zero', (value) => {
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    return typeof number === 'number' && Number.isSafeInteger(number) && number > 0
      ? number
      : undefined;
  });
}

/** A text, number or boolean. */
export function readScalar(node: DocumentNode): SchemaScalar | undefined {
  return readKind(node, 'a text, number or boolean', (value) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? value
      : undefined,
  );
}

/** One of some words, in any case of letters. */
export function readChoice<Choice extends string>(
  node: DocumentNode,
  choices: readonly Choice[],
): Choice | undefined {
  const text = readText(node);
  if (text === undefined) return undefined;
  const wanted = text.toLowerCase();
  const found = choices.find((choice) => choice.toLowerCase() === wanted);
  if (found === undefined) {
    const hint = hintAt(node, text, choices) ?? `Known are ${choices.join(', ')}.`;
    report(node, `'${text}' is not known here.`, hint);
  }
  return found;
}

/** A list of texts; `undefined` when there is none. */
export function readTexts(node: DocumentNode): readonly string[] | undefined {
  if (isAbsent(node)) return undefined;
  return listNodes(node).flatMap((element) => {
    if (isAbsent(element)) report(element, 'Expected text, found nothing.');
    return readText(element) ?? [];
  });
}

/** The `name` of an object. An object without one is reported, and to be passed over. */
export function readName(node: DocumentNode): string | undefined {
  if (!isRecord(node.value)) {
    report(node, `Expected an object with a name, found ${describeKind(node.value)}.`);
    return undefined;
  }
  const nameNode = childNode(node, 'name');
  if (isAbsent(nameNode)) report(nameNode, 'A name is missing.');
  return readText(nameNode);
}

/** What `read` makes of a member; nothing is done when there is none. */
export function readMember<Value>(
  node: DocumentNode,
  key: string,
  read: (member: DocumentNode) => Value | undefined,
): Value | undefined {
  return hasMember(node, key) ? read(childNode(node, key)) : undefined;
}

/** Reports every member of an object that is not among the known ones. */
export function checkKeys(node: DocumentNode, known: readonly string[]): void {
  if (!isRecord(node.value)) return;
  for (const key of Object.keys(node.value)) {
    if (known.includes(key)) continue;
    const hint = hintAt(node, key, known);
    report(childNode(node, key), `There is no member '${key}' here.`, hint);
  }
}

type Present<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** The members of an object that are not `undefined`, so that what is absent has no key at all. */
export function present<Members extends object>(members: Members): Present<Members> {
  // A plain loop: it runs for every property of every entity (`size.test.ts`).
  const kept: Partial<Members> = {};
  for (const name in members) {
    if (members[name] !== undefined) kept[name] = members[name];
  }
  // The type holds: the line above takes over just what it does not exclude.
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
    report(node, `Expected ${expected}, found ${describeFound(node.value)}.`);
  }
  return value;
}

function describeFound(value: unknown): string {
  return isRecord(value) || Array.isArray(value) ? describeKind(value) : JSON.stringify(value);
}
