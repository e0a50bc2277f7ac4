/** The clauses of a query or of an included relation, with aliases replaced by their names. */
import type { Expression, LambdaExpression } from '../../../src/engine/language/ast.js';

/** The calls on an entity or a relation. */
export interface Call {
  readonly name: string;
  readonly arguments: readonly Expression[];
}

export interface Clauses {
  all(name: string): readonly Call[];
  one(name: string): Call | undefined;
}

const aliases: Readonly<Record<string, string>> = { where: 'filter', select: 'map', order: 'sort' };

export function clausesOf(calls: readonly Call[]): Clauses {
  const all = (name: string) => calls.filter((each) => (aliases[each.name] ?? each.name) === name);
  return { all, one: (name) => all(name)[0] };
}

export function lambdaOf(clause: Call): LambdaExpression {
  const lambda = optionalLambdaOf(clause);
  if (!lambda) throw new Error(`${clause.name} takes a lambda`);
  return lambda;
}

export function optionalLambdaOf({ arguments: [lambda] }: Call): LambdaExpression | undefined {
  return lambda?.kind === 'lambda' ? lambda : undefined;
}

/** Splits `p.details.filter(…).map(…)` into the relation and the calls on it. */
export function callsOn(expression: Expression): { head: Expression; calls: readonly Call[] } {
  const calls: Call[] = [];
  let head = expression;
  while (head.kind === 'call' && head.receiver) {
    calls.unshift(head);
    head = head.receiver;
  }
  return { head, calls };
}
