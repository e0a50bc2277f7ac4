/** Binds properties that Rowgate computes from a row after reading it. */
import { EngineError, type Span } from '../errors.js';
import type { Property } from '../schema/model.js';
import type { Bound, BoundReading, RowSource } from './logical.js';
import { invalidExpression } from './schema-expression.js';
import { namesIn } from './write/constraints.js';
import { valueExpression } from './write/evaluable.js';

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
    const expression = valueExpression(text, moments);
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
