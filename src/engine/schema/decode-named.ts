/**
 * Decodes lists of named declarations. Elements without a name are skipped, and a duplicate name is
 * a problem.
 */
import { checkKeys, readName } from './decode-value.js';
import { type DocumentNode, childNode, listNodes, report } from './document.js';
import { schemaKeys } from './keys.js';

/** Decodes each element of a list that has a name. `what` is the word for problems. */
export function decodeNamed<Value>(
  list: DocumentNode,
  kind: keyof typeof schemaKeys,
  decode: (node: DocumentNode, name: string) => Value | undefined,
): readonly Value[] {
  const seen = new Set<string>();
  return listNodes(list).flatMap((node) => {
    const name = readName(node);
    if (name === undefined) return [];
    if (seen.has(name)) {
      report(childNode(node, 'name'), `There are two ${list.key} named '${name}'.`);
    }
    seen.add(name);
    checkKeys(node, schemaKeys[kind]);
    return decode(node, name) ?? [];
  });
}

const namePattern = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/;

/** Reports a name that cannot be written in a query, or that Rowgate uses in statements. */
export function checkIdentifier(node: DocumentNode, name: string): void {
  if (!namePattern.test(name)) {
    report(
      childNode(node, 'name'),
      `'${name}' is not a valid name.`,
      'A name consists of letters, digits, _ and $, and does not begin with a digit.',
    );
  } else if (name.startsWith('__') || name === 'ServiceParentId') {
    report(childNode(node, 'name'), `The name '${name}' is reserved for keys in statements.`);
  }
}
