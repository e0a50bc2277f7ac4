/** Placeholders of arguments. Those of groups are repeated for equal arguments. */
import type { Argument } from '../compiled-query.js';
import type { Dialect } from '../dialects/dialect.js';
import type { Bound } from '../query/logical.js';
import { sameBound } from '../query/same-bound.js';
import type { RenderContext } from './render-expression.js';

/**
 * The SQL of an argument. A placeholder without a cast takes its type from the operand beside it, such as `citext`, so it
 * cannot be repeated beside another one.
 */
export interface KnownArgument {
  readonly beside: Bound | undefined;
  readonly sql: string;
}

/**
 * Enables repeated placeholders for grouped rows, because a database recognizes a repeated grouping key
 * only if it is identical, including its placeholders. Empty for other rows, and for dialects that
 * cannot repeat a placeholder.
 */
export function knownArguments(dialect: Dialect, isGrouped: boolean): Pick<RenderContext, 'known'> {
  return isGrouped && dialect.repeatsPlaceholders ? { known: new Map() } : {};
}

/** Adds an argument to the statement, and returns its placeholder. `beside`: the operand that determines its type. */
export function placeholderFor(context: RenderContext, argument: Argument, beside?: Bound): string {
  if (!context.known) return nextPlaceholder(context, argument);
  const key = JSON.stringify(argument);
  const same = context.known.get(key) ?? [];
  const known = same.find((each) => isSameOperand(each.beside, beside));
  if (known) return known.sql;
  const sql = nextPlaceholder(context, argument);
  context.known.set(key, [...same, { beside, sql }]);
  return sql;
}

function isSameOperand(left: Bound | undefined, right: Bound | undefined): boolean {
  return left && right ? sameBound(left, right) : left === right;
}

function nextPlaceholder(context: RenderContext, argument: Argument): string {
  if (context.placeholderOverride) return context.placeholderOverride(argument);
  context.arguments.push(argument);
  return context.dialect.placeholder(context.arguments.length);
}
