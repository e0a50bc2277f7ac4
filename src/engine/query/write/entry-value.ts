/** The value of a chosen property, where rows come from the data: no column of the table is read. */
import type { FieldValue } from '../../compiled-write.js';
import { EngineError, type Span } from '../../errors.js';
import type { Expression } from '../../language/ast.js';
import { collectChildren } from '../../language/collect-children.js';
import { pathOf } from '../../language/path-of.js';
import { ExactNumber } from '../../result/data-value.js';
import { scalarText } from '../../result/scalar-text.js';
import type { Property, PropertyType } from '../../schema/model.js';
import { bindExpression } from '../bind-expression.js';
import { asInstant, typeOf } from '../bind-operators.js';
import type { Bound } from '../logical.js';
import { narrowSlot, shapeSlot, slotOf } from '../parameters.js';
import { type BindContext, outermostScope } from '../scope.js';
import { areComparable, nameType } from '../types.js';
import { withoutVariable } from './constraints.js';
import { checkEvaluable } from './evaluable.js';
import type { WriteEntry } from './read-argument.js';

/** Where the value of an entry comes from. Throws `type-mismatch` where it does not fit. */
export function entryValue(
  context: BindContext,
  entry: WriteEntry,
  property: Property,
): FieldValue {
  const { value, variable } = entry;
  const member = memberOf(entry);
  if (member !== undefined) return { kind: 'member', name: member };
  const path = pathOf(value);
  if (path && path[0] !== variable) {
    const slot = slotOf(context.parameters, path);
    shapeSlot(slot, 'scalar', value.span);
    narrowSlot(slot, property.type, value.span);
    return { kind: 'parameter', path };
  }
  const literal = literalValue(value);
  if (literal !== undefined) return literalText(property, literal, value.span);
  const expression = withoutVariable(value, variable);
  const bound = bindExpression(outermostScope(context), expression);
  assignable(bound, property);
  checkEvaluable(expression);
  return { kind: 'computed', expression };
}

/** The name of `p.name`, where p is the variable of the lambda around it. */
export function memberOf({ value, variable }: WriteEntry): string | undefined {
  const path = variable === undefined ? undefined : pathOf(value);
  return path?.length === 2 && path[0] === variable ? path[1] : undefined;
}

/** Whether a name stands anywhere in an expression. */
export function mentions(expression: Expression, name: string): boolean {
  if (expression.kind === 'name') return expression.name === name;
  const children: Expression[] = [];
  collectChildren(expression, children);
  return children.some((child) => mentions(child, name));
}

/** The bound value as the property takes it. Throws `type-mismatch`. */
export function assignable(bound: Bound, { name, type }: Property): Bound {
  if (bound.kind === 'parameter') {
    narrowSlot(bound.slot, type, bound.span);
    return bound;
  }
  const value = asInstant(bound, type);
  const found = typeOf(value);
  if (found === undefined || areComparable(type, found)) return value;
  throw misfit(name, type, nameType(found), bound.span);
}

type Literal = string | ExactNumber | boolean | null;

function literalValue(expression: Expression): Literal | undefined {
  switch (expression.kind) {
    case 'text':
    case 'boolean':
      return expression.value;
    case 'null':
      return null;
    case 'number':
      return new ExactNumber(expression.text);
    case 'unary': {
      const { operator, operand } = expression;
      const isNegative = operator === '-' && operand.kind === 'number';
      return isNegative ? new ExactNumber(`-${operand.text}`) : undefined;
    }
    default:
      return undefined;
  }
}

function literalText({ name, type }: Property, literal: Literal, span: Span): FieldValue {
  if (literal === null) return { kind: 'literal', text: null };
  const isMixed = type === 'string' ? typeof literal !== 'string' : isTextOfNumber(type, literal);
  const text = isMixed ? undefined : scalarText(type, literal);
  if (text === undefined) throw misfit(name, type, nameOf(literal), span);
  return { kind: 'literal', text };
}

function isTextOfNumber(type: PropertyType, literal: Literal): boolean {
  return typeof literal === 'string' && ['integer', 'decimal', 'number'].includes(type);
}

function nameOf(literal: Literal): string {
  if (typeof literal === 'string') return nameType('string');
  return nameType(typeof literal === 'boolean' ? 'boolean' : 'number');
}

function misfit(property: string, type: PropertyType, found: string, span: Span): EngineError {
  const message = `Property '${property}' takes ${nameType(type)}, not ${found}.`;
  return new EngineError('type-mismatch', message, { span });
}
