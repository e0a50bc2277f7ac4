/** Evaluates the expressions of the schema that compute a value of a row. */
import type { LambdaExpression } from '../../../src/engine/language/ast.js';
import { parseExpression } from '../../../src/engine/language/parse-expression.js';
import { evaluate } from '../evaluate/expression.js';
import { type Place, within } from '../evaluate/place.js';
import type { Row } from '../evaluate/tables.js';
import type { Value } from '../evaluate/value.js';
import { limits } from '../judge/judge.js';
import type { Entity, Property, RowExpression } from '../world/domain.js';
import { typed } from './typed.js';

const parsed = new Map<string, LambdaExpression>();

/** The value of an expression over a row. It reads no other rows. */
export function valueOver(entity: Entity, { form }: RowExpression, row: Row): Value {
  const lambda = parsed.get(form) ?? lambdaIn(form);
  parsed.set(form, lambda);
  const outside: Place = {
    evaluate,
    domain: { entities: [entity] },
    tables: new Map(),
    data: null,
    variables: new Map(),
    nullsEqual: true,
  };
  return evaluate(within(outside, lambda, { entity, row }), lambda.body);
}

function lambdaIn(form: string): LambdaExpression {
  const lambda = parseExpression(form, limits);
  if (lambda.kind !== 'lambda') throw new Error('no lambda');
  return lambda;
}

/**
 * What is stored instead of a value that has the type of its property. `others` are the values of the same
 * write, as they were given.
 */
export function changed(
  entity: Entity,
  property: Property,
  value: Value,
  others: Row = new Map(),
): Value {
  const { name, writeValue } = property;
  if (!writeValue) return value;
  return typed(property, valueOver(entity, writeValue, new Map([...others, [name, value]])));
}
