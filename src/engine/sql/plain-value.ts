/**
 * Converts values of columns to the type in which expressions compute: enumerated types to strings, numbers of
 * single precision to doubles, and bits to numbers.
 */
import type { Bound } from '../query/logical.js';
import { isGiven } from '../query/same-bound.js';
import type { PropertyType } from '../schema/model.js';
import { isText } from './collation.js';
import type { RenderContext } from './render-expression.js';

/** The enum of the values, which may be an enumerated type in the database. */
export function enumOf(bound: Bound): string | undefined {
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

/** The SQL of an expression as one of its type, if it may have another type of a column. */
export function plainValue({ dialect }: RenderContext, bound: Bound, sql: string): string {
  if (enumOf(bound) !== undefined) return dialect.plain(sql, 'string');
  const type = storedType(bound);
  return type === 'number' || type === 'boolean' ? dialect.plain(sql, type) : sql;
}

/** The SQL of one of several expressions, one of which is chosen. If all of them are bits, so is the result. */
export function plainChoice(
  context: RenderContext,
  bound: Bound,
  sql: string,
  choices: readonly Bound[],
): string {
  if (bound.kind === 'null') return nullAmong(context, choices) ?? sql;
  const areColumns = choices.every(({ kind }) => kind === 'column' || kind === 'null');
  const isInteger = bound.kind === 'column' && bound.type === 'integer';
  return areColumns && isInteger
    ? context.dialect.plain(sql, bound.type)
    : plainValue(context, bound, sql);
}

/** The null beside given strings only, if the database needs its type to know that they are strings. */
export function nullAmong(
  { dialect }: RenderContext,
  choices: readonly Bound[],
): string | undefined {
  const others = choices.filter(({ kind }) => kind !== 'null');
  const areTexts = others.length > 0 && others.every((each) => isGiven(each) && isText(each));
  return areTexts ? dialect.nullText : undefined;
}

/** The SQL of one of the values of a column: the least, the greatest or the first. */
export function plainExtreme({ dialect }: RenderContext, argument: Bound, sql: string): string {
  const type = storedType(argument);
  return type === 'integer' || type === 'boolean' ? dialect.plain(sql, type) : sql;
}

/** The type of a value that has the type of a column. */
function storedType(bound: Bound): PropertyType | undefined {
  switch (bound.kind) {
    case 'column':
    case 'element':
      return bound.type;
    case 'aggregate':
    case 'subselect': {
      const isComputed = ['sum', 'avg', 'count', 'exists'].includes(bound.name);
      return isComputed || !bound.argument ? undefined : storedType(bound.argument);
    }
    default:
      return undefined;
  }
}

/** Whether values, some of which are enumerated, can be compared with each other without conversion. */
export function areOfOneEnum(bounds: readonly Bound[]): boolean {
  const values = bounds.flatMap((each) => (each.kind === 'list' ? each.items : [each]));
  return new Set(values.filter((each) => !isGiven(each)).map(enumOf)).size <= 1;
}
