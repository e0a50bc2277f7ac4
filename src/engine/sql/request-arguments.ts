/** Determines which arguments of a plan differ between its requests. */
import type { Argument } from '../compiled-query.js';

export function isOfRequest(argument: Argument): boolean {
  switch (argument.kind) {
    case 'literal':
    case 'parentKeys':
      return false;
    case 'count':
      return argument.count.kind === 'parameter';
    case 'pageStart':
    case 'pageEnd':
      return argument.page.kind === 'parameter' || argument.size.kind === 'parameter';
    default:
      return true;
  }
}

export function isList(argument: Argument): boolean {
  return argument.kind === 'parameter' && argument.type.startsWith('[');
}
