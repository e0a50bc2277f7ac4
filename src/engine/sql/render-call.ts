/** Renders function calls. */
import { EngineError, invariant, type Span } from '../errors.js';
import { condition } from '../query/added.js';
import { typeOf } from '../query/bind-operators.js';
import { inferredFrom } from '../query/functions/bind-arguments.js';
import type { FunctionParameter } from '../query/functions/signature.js';
import type { Bound, BoundCall } from '../query/logical.js';
import { choicesOf } from '../query/narrow-bound.js';
import { isGiven } from '../query/same-bound.js';
import { commonType, isNumeric } from '../query/types.js';
import { isArray, itemOf } from '../schema/array-types.js';
import type { PropertyType } from '../schema/model.js';
import type { CallSql, ListSql } from '../dialects/functions/template.js';
import { firstText, isText, isTextWithoutColumn } from './collation.js';
import { computedType } from './digits.js';
import { areOfOneEnum, enumOf, nullAmong, plainChoice, plainValue } from './plain-value.js';
import { nameArguments } from './name-arguments.js';
import { placeholderFor } from './placeholders.js';
import {
  renderBeside,
  renderBound,
  renderOperand,
  renderValue,
  type RenderContext,
  comparedWith,
} from './render-expression.js';

/**
 * The SQL of a call. It needs no parentheses beside any operator; a condition needs none beside AND and
 * NOT.
 */
export function renderCall(context: RenderContext, call: BoundCall): string {
  const { signature, span } = call;
  const list = call.arguments[1];
  // No value is in an empty list, not even null, and SQL has no empty list.
  const isInNothing = signature.name === 'in' && list?.kind === 'list' && list.items.length === 0;
  if (isInNothing) return 'FALSE';
  const equal = equalityOf(call);
  if (equal) return short(renderBound(context, equal).sql, span);
  const conditions = conditionsOn(call);
  if (conditions) {
    const word = signature.name === 'in' ? ' OR ' : ' AND ';
    return short(`(${conditions.map((each) => renderBound(context, each).sql).join(word)})`, span);
  }
  const { name, functions } = context.dialect;
  const template = functions.get(signature.name);
  invariant(template, `${name} has SQL for the function ${signature.name}`);
  return short(template(callSql(context, call)), span);
}

/** `in` with a list of one value. IN with a single sub-select would test whether it has such a row: false without rows. */
function equalityOf({ signature, arguments: given }: BoundCall): Bound | undefined {
  const [value, list] = given;
  if (signature.name !== 'in' || !value || list?.kind !== 'list') return undefined;
  const [only, other] = list.items;
  if (!only || other || [value.kind, only.kind].includes('null')) return undefined;
  return condition('==', value, only);
}

/**
 * The comparisons of a text of the request with each of several texts, which may have different types in PostgreSQL,
 * such as `char(n)` or an enumerated type.
 */
function conditionsOn({ signature, arguments: given }: BoundCall): readonly Bound[] | undefined {
  const [value, ...others] = given;
  if (!value || value.kind === 'null' || !isGiven(value) || typeOf(value) !== 'string')
    return undefined;
  const texts = others.flatMap((each) => (each.kind === 'list' ? each.items : [each]));
  const hasColumn =
    texts.some((each) => !isGiven(each)) && !texts.some(({ kind }) => kind === 'null');
  if (!hasColumn || !texts.every(isText)) return undefined;
  if (signature.name === 'in') return texts.map((text) => condition('==', value, text));
  const [low, high] = texts;
  if (signature.name !== 'between' || !low || !high) return undefined;
  return [condition('>=', value, low), condition('<=', value, high)];
}

function callSql(context: RenderContext, call: BoundCall): CallSql {
  const sql: CallSql = {
    ...plainSql(context, call),
    naming: (body) => nameArguments(context, call.arguments, sql, body),
  };
  return sql;
}

function plainSql(context: RenderContext, call: BoundCall): Omit<CallSql, 'naming'> {
  const { dialect } = context;
  const type = (index: number) => typeOfArgument(call, index);
  const computed = (index: number) => {
    const own = type(index);
    return own === 'decimal' ? computedType(context, boundAt(call, index)) : own;
  };
  const value = (index: number) => argumentAt(context, call, index, renderValue);
  const operand = (index: number) => argumentAt(context, call, index, renderOperand);
  return {
    count: call.arguments.length,
    type,
    computed,
    value,
    operand,
    compared: (index) =>
      isTextWithoutColumn(call.arguments) ? dialect.byCodePoint(operand(index)) : operand(index),
    beside: (index, other) => {
      const besides = boundAt(call, other);
      return argumentAt(context, call, index, (_, bound) => renderBeside(context, bound, besides));
    },
    text: (index) => {
      const sql = dialect.textOf(operand(index), computed(index));
      return enumOf(boundAt(call, index)) === undefined ? sql : dialect.join([sql]);
    },
    list: (index, other) => listSql(context, boundAt(call, index), boundAt(call, other)),
    digits: (index) => digitsOf(boundAt(call, index)),
    number: (index) => numberOf(boundAt(call, index)),
    letters: (index) => lettersOf(boundAt(call, index)),
    column: (index) => {
      const isNamed = (bound: Bound) => context.named?.(bound) !== undefined;
      const text = firstText(boundAt(call, index), isNamed);
      return text && renderBound(context, text).sql;
    },
    constant: (text) => placeholderFor(context, { kind: 'literal', text, type: 'string' }),
    instant: (moment) =>
      dialect.cast(placeholderFor(context, { kind: 'instant', type: moment }), moment),
  };
}

/** Templates repeat their arguments, so nested calls could double the SQL at every level. */
const callLengthMax = 262_144;

function short(sql: string, span: Span): string {
  if (sql.length <= callLengthMax) return sql;
  const message = `The SQL of this expression is longer than ${callLengthMax} characters.`;
  throw new EngineError('too-complex', message, { span });
}

function boundAt(call: BoundCall, index: number): Bound {
  const bound = call.arguments[index];
  if (!bound) throw new Error(`Broken invariant: ${call.signature.name} has no argument ${index}`);
  return bound;
}

/**
 * Renders an argument. A null gets a type, because otherwise the database could not choose the
 * function.
 */
function argumentAt(
  context: RenderContext,
  call: BoundCall,
  index: number,
  render: (context: RenderContext, bound: Bound) => string,
): string {
  const bound = boundAt(call, index);
  const choices = choicesOf(call);
  if (bound.kind !== 'null') {
    const sql = render(context, bound);
    if (choices.includes(bound)) return plainChoice(context, bound, sql, choices);
    return takesStored(call, index) ? sql : plainValue(context, bound, sql);
  }
  const text = choices.includes(bound) ? nullAmong(context, choices) : undefined;
  return text ?? context.dialect.cast('NULL', typeOfArgument(call, index));
}

/** Whether an argument is used with the type of its column. */
function takesStored(call: BoundCall, index: number): boolean {
  const type = parameterAt(call, index)?.type;
  if (type === 'whatever') return true;
  return (
    typeOf(boundAt(call, index)) !== 'number' &&
    type === 'same' &&
    call.signature.group === 'comparison' &&
    areOfOneEnum(call.arguments)
  );
}

function typeOfArgument(call: BoundCall, index: number): PropertyType {
  return typeOf(boundAt(call, index)) ?? typeWithout(call, parameterAt(call, index));
}

function parameterAt({ signature }: BoundCall, index: number): FunctionParameter | undefined {
  return signature.parameters[index] ?? signature.parameters.at(-1);
}

/**
 * The type of an argument of unknown type, from its parameter and from the arguments that must agree
 * with it.
 */
function typeWithout(call: BoundCall, parameter: FunctionParameter | undefined): PropertyType {
  const inferred = parameter && inferredFrom(parameter.type);
  if (!parameter || inferred) return inferred ?? 'any';
  return call.arguments
    .map((each, index) => agreedType(each, parameterAt(call, index)))
    .reduce<PropertyType>((type, each) => commonType(type, each) ?? type, 'any');
}

/** The type with which an argument must agree: for an array that is searched, that of its items. */
function agreedType(bound: Bound, parameter: FunctionParameter | undefined): PropertyType {
  const type = typeOf(bound) ?? 'any';
  if (parameter?.type === 'list' && isArray(type)) return itemOf(type);
  return parameter?.type === 'same' || parameter?.type === 'list' ? type : 'any';
}

function listSql(context: RenderContext, list: Bound, other: Bound): ListSql {
  if (list.kind === 'list') {
    const items = list.items.map((item) => renderBeside(context, item, other));
    return { kind: 'items', items };
  }
  const type = typeOf(list) ?? typeOf(other) ?? 'any';
  if (isArray(type)) {
    const array = () => renderOperand(context, list);
    const among = (value: string) => context.dialect.amongElements(value, array, itemOf(type));
    return { kind: 'parameter', among };
  }
  if (list.kind !== 'parameter') throw new Error(`Broken invariant: ${list.kind} as a list`);
  const { path } = list.slot;
  const argument = { kind: 'parameter', path, type: `[${type}]` } as const;
  const placeholder = placeholderFor(context, argument, other);
  const among = (value: string) =>
    context.dialect.amongItems(value, { placeholder, type }, comparedWith(other));
  return { kind: 'parameter', among };
}

function numberOf(bound: Bound): number | undefined {
  const isNumber = bound.kind === 'literal' && isNumeric(bound.type);
  return isNumber ? Number(bound.text) : undefined;
}

function lettersOf(bound: Bound): string | undefined {
  return bound.kind === 'literal' && bound.type === 'string' ? bound.text : undefined;
}

function digitsOf(bound: Bound): string | undefined {
  const isWhole =
    bound.kind === 'literal' && /^\d{1,9}$/.test(bound.text) && bound.type === 'integer';
  return isWhole ? bound.text : undefined;
}
