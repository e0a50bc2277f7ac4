/** Decodes the enums of the domain. */
import { decodeNamed } from './decode-named.js';
import { checkKeys, readScalar, readMember } from './decode-value.js';
import type { DocumentNode } from './document.js';
import { childNode } from './document.js';
import type { Enum } from './model.js';

/** The enums in a list. The value of a name is the name itself, unless another is given. */
export function decodeEnums(list: DocumentNode): readonly Enum[] {
  return decodeNamed(list, 'enums', (node, name) => {
    checkKeys(node, ['name', 'values']);
    return { name, values: decodeNamed(childNode(node, 'values'), 'values', decodeValue) };
  });
}

function decodeValue(node: DocumentNode, name: string): Enum['values'][number] {
  checkKeys(node, ['name', 'value']);
  return { name, value: readMember(node, 'value', readScalar) ?? name };
}
