/** Gives names to the arguments that a function's template repeats. */
import { hasAggregate } from '../query/groups.js';
import type { Bound } from '../query/logical.js';
import type { CallSql, Template } from '../dialects/functions/template.js';
import { isPower } from './digits.js';
import type { RenderContext } from './render-expression.js';
import { partsOf } from '../query/same-bound.js';

/**
 * The SQL of `body`, in which expensive arguments have names: a sub-select around it computes each
 * once. This does not work for an aggregate over groups, which would belong to the sub-select, nor for
 * grouping keys that are written again.
 */
export function nameArguments(
  context: RenderContext,
  given: readonly Bound[],
  sql: CallSql,
  body: Template,
): string {
  const heavy = given.flatMap((bound, index) => (isHeavy(bound) ? [{ index }] : []));
  const { dialect, repeatsKeys } = context;
  if (heavy.length === 0 || repeatsKeys || given.some(hasAggregate)) return body(sql);
  const names = new Map(
    heavy.map(({ index }, at) => {
      return [index, dialect.valueNamed(`a${at + 1}`, sql.type(index), sql.column(index))];
    }),
  );
  // Placeholders are numbered in the order of the text, and the values follow the body.
  const text = body(withNames(context, sql, names));
  const values = heavy.map(({ index }) => ({ sql: sql.value(index), type: sql.type(index) }));
  return `(SELECT ${text} FROM ${dialect.namedValues(values)})`;
}

function withNames(
  { dialect }: RenderContext,
  sql: CallSql,
  names: ReadonlyMap<number, string>,
): CallSql {
  const operand = (index: number) => names.get(index) ?? sql.operand(index);
  const inner: CallSql = {
    ...sql,
    operand,
    value: (index) => names.get(index) ?? sql.value(index),
    compared: (index) => names.get(index) ?? sql.compared(index),
    beside: (index, other) => names.get(index) ?? sql.beside(index, other),
    text: (index) => dialect.textOf(operand(index), sql.computed(index)),
    naming: (again) => again(inner),
  };
  return inner;
}

/** A heavier expression is written and computed only once. */
const LIGHT_MAX = 8;
/** A template may repeat its arguments; those of powers and roots repeat them most often. */
const CALL_FACTOR = 2;
const POWER_FACTOR = 4;

/** Whether an expression is too expensive to be repeated in a template. */
export function isHeavy(bound: Bound): boolean {
  return weightOf(bound) > LIGHT_MAX;
}

function weightOf(bound: Bound): number {
  if (bound.kind === 'subselect') return LIGHT_MAX + 1;
  const parts = partsOf(bound).reduce((sum, part) => sum + weightOf(part), 0);
  const factor = isPower(bound) ? POWER_FACTOR : CALL_FACTOR;
  return 1 + (bound.kind === 'call' ? factor : 1) * parts;
}
