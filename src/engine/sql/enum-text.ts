/** Converts values of enumerated types to strings where strings are expected. */
import type { Bound } from '../query/logical.js';
import type { RenderContext } from './render-expression.js';

/** Whether the values are those of an enum, which may be an enumerated type in the database. */
function isEnumerated(bound: Bound): boolean {
  switch (bound.kind) {
    case 'column':
      return bound.isEnum === true;
    case 'aggregate':
    case 'subselect':
      return bound.name !== 'count' && bound.argument !== undefined && isEnumerated(bound.argument);
    default:
      return false;
  }
}

/** The SQL of an expression as a string. */
export function textOfEnum({ dialect }: RenderContext, bound: Bound, sql: string): string {
  return isEnumerated(bound) ? dialect.textOfEnum(sql) : sql;
}

/** Whether an enumerated value can be compared with the other one without conversion. */
export function isLikeEnum(other: Bound): boolean {
  if (other.kind === 'list') return other.items.every(isLikeEnum);
  const isConstant = other.kind === 'parameter' || other.kind === 'literal';
  return isConstant || other.kind === 'null' || isEnumerated(other);
}
