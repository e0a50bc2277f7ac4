/** Binds properties that Rowgate computes from a row after reading it. */
import { EngineError, type Span } from '../errors.js';
import type { Expression } from '../language/ast.js';
import { parseWithTemplate } from '../language/parse-template.js';
import type { Property } from '../schema/model.js';
import type { Bound, BoundReading, RowSource } from './logical.js';
import { invalidExpression, schemaExpressionLimits } from './schema-expression.js';
import { namesIn, withoutVariable } from './write/constraints.js';
import { checkEvaluable } from './write/evaluable.js';

/** A property with a `readValue`, and what the database returns in its place. */
export interface ReadProperty {
  readonly property: Property;
  readonly text: string;
  readonly stored: Bound;
  readonly row: RowSource;
  readonly span: Span;
}

/** Binds a `readValue`; `inputOf` returns the properties of the row that it reads. */
export function bindReadValue(
  { property, text, stored, row, span }: ReadProperty,
  inputOf: (name: string) => Bound | undefined,
): BoundReading {
  const { name, type } = property;
  const what = `readValue of property '${name}' of entity '${row.entity.name}'`;
  try {
    const expression = readValueExpression(text);
    const inputs = namesIn(expression).map((each) => {
      const value = each === name ? stored : inputOf(each);
      if (value) return { name: each, value };
      throw new EngineError('unknown-property', `It reads '${each}', which is not a property.`);
    });
    const entity = row.entity.name;
    return { kind: 'reading', entity, property: name, stored, expression, inputs, type, span };
  } catch (error) {
    throw error instanceof EngineError ? invalidExpression(what, text, error) : error;
  }
}

const moments = ['now', 'today', 'curTime'];

/**
 * Parses a `readValue` into an expression over bare property names. Throws if Rowgate cannot evaluate
 * it.
 */
function readValueExpression(text: string): Expression {
  const expression = parseWithTemplate(text, schemaExpressionLimits);
  const own =
    expression.kind === 'lambda'
      ? withoutVariable(expression.body, expression.parameter)
      : expression;
  checkEvaluable(own, moments);
  return own;
}
