/**
 * Converts values of columns to the type in which expressions compute: enumerated types to strings, and
 * numbers of single precision to doubles.
 */
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

/** The SQL of an expression as a string or a double, if it may have another type of a column. */
export function plainValue({ dialect }: RenderContext, bound: Bound, sql: string): string {
  if (isStoredNumber(bound)) return dialect.plain(sql, 'number');
  return enumOf(bound) === undefined ? sql : dialect.plain(sql, 'string');
}

/** Whether the value is a number that has the type of a column. */
function isStoredNumber(bound: Bound): boolean {
  switch (bound.kind) {
    case 'column':
    case 'element':
      return bound.type === 'number';
    case 'aggregate':
    case 'subselect':
      if (bound.name === 'sum' || bound.name === 'avg') return false;
      return (
        bound.argument !== undefined && bound.type === 'number' && isStoredNumber(bound.argument)
      );
    default:
      return false;
  }
}

/** Whether values, some of which are enumerated, can be compared with each other without conversion. */
export function areOfOneEnum(bounds: readonly Bound[]): boolean {
  const values = bounds.flatMap((each) => (each.kind === 'list' ? each.items : [each]));
  const others = values.filter(({ kind }) => !['parameter', 'literal', 'null'].includes(kind));
  return new Set(others.map(enumOf)).size <= 1;
}
