/**
 * Binds the values assigned to properties where rows come from the data, without reading columns of the
 * table.
 */
import type { Parameter } from '../../compiled-query.js';
import type { FieldValue } from '../../compiled-write.js';
import type { Span } from '../../errors.js';
import type { Expression } from '../../language/ast.js';
import { pathOf } from '../../language/path-of.js';
import { ExactNumber } from '../../values/data-value.js';
import { scalarText } from '../../values/scalar-text.js';
import type { Property, PropertyType } from '../../schema/model.js';
import { bindExpression } from '../bind-expression.js';
import { asInstant, asStored, operandType, typeOf } from '../bind-operators.js';
import { checkWrittenLiteral } from '../enum-values.js';
import { roundFunction } from '../functions/table.js';
import type { Bound, RowSource } from '../logical.js';
import { narrowBound } from '../narrow-bound.js';
import {
  narrowSlot,
  type ParameterSlot,
  type ParameterSlots,
  shapeSlot,
  slotOf,
  slotValueType,
  takesOtherNumbers,
} from '../parameters.js';
import { type BindContext, outermostScope } from '../scope.js';
import { areComparable, isNumeric, mismatch, nameType } from '../types.js';
import { namesIn, withoutVariable } from './constraints.js';
import { checkEvaluable } from './evaluable.js';
import { inferText } from './infer-text.js';
import type { WriteEntry } from './read-argument.js';

/** The source of each entry's value, by property. Throws `type-mismatch`. */
export function entryValues(
  context: BindContext,
  { entity }: RowSource,
  entries: ReadonlyMap<string, WriteEntry>,
): ReadonlyMap<string, FieldValue> {
  const values = entity.properties.flatMap((property) => {
    const entry = entries.get(property.name);
    return entry ? [[property.name, entryValue(context, entry, property)] as const] : [];
  });
  // The type of a parameter is known only after its last use.
  return new Map(values.map(([name, value]) => [name, withTypes(context, value)]));
}

/** A value whose parameters do not have types yet. */
type UntypedValue =
  | Exclude<FieldValue, { kind: 'computed' }>
  | { readonly kind: 'computed'; readonly expression: Expression };

function withTypes({ parameters }: BindContext, value: UntypedValue): FieldValue {
  if (value.kind !== 'computed') return value;
  return { ...value, parameters: slotsIn(parameters, value.expression).map(evaluatedParameter) };
}

/** The parameter of an expression that Rowgate evaluates, which compares integers with any number. */
function evaluatedParameter(slot: ParameterSlot): Parameter {
  const name = slot.path.join('.');
  if (!takesOtherNumbers(slot)) return { name, type: slotValueType(slot) };
  return { name, type: slot.shape === 'list' ? '[decimal]' : 'decimal' };
}

/** The slots of the parameters in an expression. */
export function slotsIn(slots: ParameterSlots, expression: Expression): readonly ParameterSlot[] {
  const names = namesIn(expression);
  return [...slots.values()].filter(({ path }) => names.includes(path[0] ?? ''));
}

function entryValue(context: BindContext, entry: WriteEntry, property: Property): UntypedValue {
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
  if (literal !== undefined) {
    const field = literalText(property, literal, value.span);
    const { text } = field;
    if (text !== null) checkWrittenLiteral(context.catalog, property, text, value.span);
    return field;
  }
  const expression = withoutVariable(value, variable);
  if (property.type === 'string') inferText(expression, { context });
  const bound = bindExpression(outermostScope(context), expression);
  assignable(bound, property);
  checkEvaluable(expression);
  return { kind: 'computed', expression };
}

/** Whether an entry's value reads the row of the enclosing lambda. */
export function isOfRow({ value, variable }: WriteEntry): boolean {
  return variable !== undefined && namesIn(value).includes(variable);
}

/** The property in `p.name`, where p is the variable of the enclosing lambda. */
function memberOf({ value, variable }: WriteEntry): string | undefined {
  const path = variable === undefined ? undefined : pathOf(value);
  return path?.length === 2 && path[0] === variable ? path[1] : undefined;
}

/** The bound value, converted to the property's type; a number is rounded for an integer. Throws `type-mismatch`. */
export function assignable(bound: Bound, { name, type }: Property): Bound {
  if (bound.kind === 'parameter') {
    narrowSlot(bound.slot, type, bound.span);
    return bound;
  }
  const value = asInstant(bound, type);
  const found = operandType(value);
  if (found === undefined || found === 'any') narrowBound(value, type, 'taken');
  else if (!areComparable(type, found)) throw misfit(name, type, nameType(found), bound.span);
  // The database would round it.
  const isRounded = type === 'integer' && value.kind === 'literal' && value.type !== type;
  if (isRounded) throw misfit(name, type, nameType('number'), bound.span);
  return type === 'integer' ? rounded(value) : asStored(value, type);
}

/** Databases would round doubles differently. */
function rounded(value: Bound): Bound {
  const type = typeOf(value);
  if (type === undefined || type === 'integer' || !isNumeric(type)) return value;
  const signature = roundFunction;
  return { kind: 'call', signature, arguments: [value], type: 'integer', span: value.span };
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

type LiteralField = Extract<FieldValue, { readonly kind: 'literal' }>;

function literalText({ name, type }: Property, literal: Literal, span: Span): LiteralField {
  if (literal === null) return { kind: 'literal', text: null };
  const isMixed = typeof literal === 'string' ? isNumeric(type) : type === 'string';
  const text = isMixed ? undefined : scalarText(type, literal);
  if (text === undefined) throw misfit(name, type, nameOf(literal), span);
  return { kind: 'literal', text };
}

function nameOf(literal: Literal): string {
  if (typeof literal === 'string') return nameType('string');
  return nameType(typeof literal === 'boolean' ? 'boolean' : 'number');
}

function misfit(property: string, type: PropertyType, found: string, span: Span) {
  return mismatch(`Property '${property}' takes ${nameType(type)}, not ${found}.`, span);
}
