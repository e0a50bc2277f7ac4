/** Which arguments tell the requests of a plan apart. */
import type { Argument } from '../compiled-query.js';

/** Whether the argument is another one in each request. */
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

/** Whether the argument is a list of values. */
export function isList(argument: Argument): boolean {
  return argument.kind === 'parameter' && argument.type.startsWith('[');
}
