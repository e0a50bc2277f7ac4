/** The default of a property as an insert uses it: a value, or an expression over the row. */
import type { FieldDefault } from '../../compiled-write.js';
import { EngineError } from '../../errors.js';
import type { Expression } from '../../language/ast.js';
import { childrenOf } from '../../language/children.js';
import { parseWithTemplate } from '../../language/parse-template.js';
import type { Catalog } from '../../schema/catalog.js';
import type { Entity, Property, PropertyType } from '../../schema/model.js';
import { countCharacters, isLonger } from '../../values/characters.js';
import { evaluate } from '../../values/evaluate/evaluate.js';
import { textOfValue } from '../../values/evaluate/value.js';
import { scalarText } from '../../values/scalar-text.js';
import { enumTexts, listText } from '../enum-values.js';
import { orInvalid } from '../schema-expression.js';
import { namesIn, withMembersBeside } from './constraints.js';
import { isCall, textDefault } from './default-expression.js';
import { checkEvaluable } from './evaluable.js';

/**
 * The default of a property; undefined if it has none. Throws `schema-invalid` if every insert that
 * uses it would fail.
 */
export function propertyDefault(
  catalog: Catalog,
  { name: entity, properties }: Pick<Entity, 'name' | 'properties'>,
  property: Property,
): FieldDefault | undefined {
  const { name, type, default: value } = property;
  if (value === undefined || value === null) return undefined;
  return orInvalid(`default of property '${name}' of entity '${entity}'`, String(value), () => {
    const fallback = readDefault(type, value, (expression) =>
      withMembersBeside(catalog, { properties }, expression),
    );
    const reads = fallback.kind === 'expression' ? fallback.reads : [];
    const unknown = reads.find((read) => properties.every((each) => each.name !== read));
    if (unknown !== undefined) {
      const isNone = isTextual(type) ? 'It' : `It is not a value of type ${type}, and`;
      throw invalid(`${isNone} reads '${unknown}', which is not a property.`);
    }
    const allowed = enumTexts(catalog.unrestricted, property);
    const fault = fallback.kind === 'text' && boundsFault(property, fallback.text, allowed);
    if (typeof fault === 'string') throw invalid(fault);
    return fallback;
  });
}

/** Why a value is not within the bounds of its property; undefined if it is. */
export function boundsFault(
  property: Pick<Property, 'type' | 'length' | 'isUsualLength' | 'digits' | 'enum'>,
  text: string,
  allowed?: readonly string[],
): string | undefined {
  const { type, length = Infinity, isUsualLength, digits } = property;
  if (type === 'string' && !isUsualLength && isLonger(text, length))
    return `It has ${countCharacters(text)} characters, but its length is ${length}.`;
  if (allowed && !allowed.includes(text))
    return `It is not a value of the enum ${property.enum ?? ''}: ${listText(allowed)}.`;
  if (
    type === 'decimal' &&
    digits &&
    Math.abs(Number(text)) >= 10 ** (digits.precision - digits.scale)
  )
    return `It has too many digits for precision ${digits.precision} and scale ${digits.scale}.`;
  return undefined;
}

/**
 * For a string property, a string is a plain value unless it is an expression; for other types, a string
 * that is not a value of the type is an expression.
 */
function readDefault(
  type: PropertyType,
  value: string | number | boolean,
  prepare: (expression: Expression) => Expression,
): FieldDefault {
  const given = isTextual(type) ? String(value) : value;
  const expression = isTextual(type) ? textDefault(String(value)) : undefined;
  if (!expression && isTextual(type)) refuseCall(String(value));
  const text = expression ? undefined : canonicalText(type, given);
  if (text !== undefined) return { kind: 'text', text };
  return evaluated(prepare(expression ?? otherDefault(type, String(given))), type);
}

/** Throws for a call that Rowgate cannot evaluate, which would be stored as it is written. */
function refuseCall(text: string): void {
  if (!isCall(text)) return;
  try {
    const expression = parseWithTemplate(text);
    if (expression.kind === 'call') checkEvaluable(expression);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { message, hint } = error;
    const isChoice = /^(?:if|switch)\(/.test(text);
    const advice = isChoice
      ? 'Write a choice as in type=="phone" ? imei : mac.'
      : 'If the text itself is meant, quote it.';
    throw invalid(`As a call, it fails: ${message} ${advice}`, hint);
  }
}

function isTextual(type: PropertyType): boolean {
  return type === 'string' || type === 'any';
}

function canonicalText(type: PropertyType, value: string | number | boolean): string | undefined {
  const isFlag = type === 'boolean' && /^(true|false)$/.test(String(value));
  return isFlag ? String(value) : scalarText(type, value);
}

function otherDefault(type: PropertyType, text: string): Expression {
  try {
    const expression = parseWithTemplate(text);
    checkEvaluable(expression);
    return expression;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { message, hint } = error;
    const why = `It is not a value of type ${type}. As an expression, it fails: ${message}`;
    throw invalid(why, hint);
  }
}

/** An expression of literals is evaluated at once. */
function evaluated(expression: Expression, type: PropertyType): FieldDefault {
  const text = isConstant(expression) ? constantText(expression, type) : null;
  if (text === undefined) throw invalid(`It is not a value of type ${type}.`);
  if (text !== null) return { kind: 'text', text };
  return { kind: 'expression', expression, reads: namesIn(expression) };
}

function isConstant(expression: Expression): boolean {
  if (expression.kind === 'name' || expression.kind === 'call') return false;
  return childrenOf(expression).every(isConstant);
}

function constantText(expression: Expression, type: PropertyType): string | null | undefined {
  if (expression.kind === 'text') return canonicalText(type, expression.value);
  const unused = (): never => {
    throw new Error('Broken invariant: a constant needs nothing from its caller');
  };
  const cipher = { encrypt: unused, decrypt: unused };
  return textOfValue(evaluate(expression, { now: '', cipher, valueAt: unused }), type);
}

function invalid(why: string, hint?: string): EngineError {
  return new EngineError('schema-invalid', why, { hint });
}
