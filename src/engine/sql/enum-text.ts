/** Converts values of enumerated types to strings where strings are expected. */
import type { Bound } from '../query/logical.js';
import type { RenderContext } from './render-expression.js';

/** The enum of the values, which may be an enumerated type in the database. */
function enumOf(bound: Bound): string | undefined {
  switch (bound.kind) {
    case 'column':
      return bound.enumName;
    case 'aggregate':
    case 'subselect':
      return bound.name === 'count' || !bound.argument ? undefined : enumOf(bound.argument);
    default:
      return undefined;
  }
}

/** The SQL of an expression as a string. */
export function textOfEnum({ dialect }: RenderContext, bound: Bound, sql: string): string {
  return enumOf(bound) === undefined ? sql : dialect.textOfEnum(sql);
}

/** Whether values, some of which are enumerated, can be compared with each other without conversion. */
export function areOfOneEnum(bounds: readonly Bound[]): boolean {
  const values = bounds.flatMap((each) => (each.kind === 'list' ? each.items : [each]));
  const others = values.filter(({ kind }) => !['parameter', 'literal', 'null'].includes(kind));
  return new Set(others.map(enumOf)).size <= 1;
}
