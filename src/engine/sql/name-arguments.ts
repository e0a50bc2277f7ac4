/** Arguments that stand in the SQL of a call more than once. */
import { hasAggregate } from '../query/groups.js';
import type { Bound } from '../query/logical.js';
import type { CallSql, Template } from '../dialects/functions/template.js';
import type { RenderContext } from './render-expression.js';
import { isHeavy } from './weight.js';

/**
 * The SQL of `body`, for which heavy arguments have names: they are computed once, in a sub-select around it.
 * An aggregate of a group stays where it is, because it would be one of the sub-select there.
 */
export function nameArguments(
  context: RenderContext,
  given: readonly Bound[],
  sql: CallSql,
  body: Template,
): string {
  const heavy = given.flatMap((bound, index) => (isHeavy(bound) ? [{ index }] : []));
  if (heavy.length === 0 || given.some(hasAggregate)) return body(sql);
  const { dialect } = context;
  const names = new Map(
    heavy.map(({ index }, at) => {
      return [index, dialect.valueNamed(`a${at + 1}`, sql.type(index), sql.column(index))];
    }),
  );
  // Placeholders count in the order of the text: the values stand behind.
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
    text: (index) => dialect.textOf(operand(index), sql.type(index)),
    naming: (again) => again(inner),
  };
  return inner;
}
