/** Calls of functions as SQL. */
import { EngineError } from '../errors.js';
import { typeOf } from '../query/bind-operators.js';
import type { FunctionParameter } from '../query/functions/signature.js';
import type { Bound, BoundCall } from '../query/logical.js';
import { commonType } from '../query/types.js';
import type { PropertyType } from '../schema/model.js';
import type { CallSql, ListSql } from './functions/template.js';
import { templateOf } from './functions/templates.js';
import {
  placeholderFor,
  renderBeside,
  renderOperand,
  renderValue,
  type SentenceContext,
  toldBy,
} from './render-expression.js';

/**
 * The UTF-16 units that the SQL of one call may have. Templates repeat arguments, so that calls in
 * calls could double it with every level.
 */
const callLengthMax = 65_536;

/** The SQL of a call; it stands safely beside any operator, a condition beside AND and NOT. */
export function renderCall(context: SentenceContext, call: BoundCall): string {
  const { signature, span } = call;
  const list = call.arguments[1];
  // No value is in an empty list, not even null; and SQL cannot write one.
  const isInNothing = signature.name === 'in' && list?.kind === 'list' && list.items.length === 0;
  if (isInNothing) return context.dialect.boolean(false);
  const sql = templateOf(context.dialect.name, signature.name)(callSql(context, call));
  if (sql.length <= callLengthMax) return sql;
  const message = `The SQL of '${signature.name}' and what stands in it is longer than ${callLengthMax}.`;
  throw new EngineError('query-too-deep', message, { span });
}

function callSql(context: SentenceContext, call: BoundCall): CallSql {
  const { dialect } = context;
  const type = (index: number) => typeOfArgument(call, index);
  const value = (index: number) => argumentAt(context, call, index, renderValue);
  const operand = (index: number) => argumentAt(context, call, index, renderOperand);
  return {
    count: call.arguments.length,
    type,
    value,
    operand,
    beside: (index, other) => {
      const besides = boundAt(call, other);
      return argumentAt(context, call, index, (_, bound) => renderBeside(context, bound, besides));
    },
    text: (index) => dialect.textOf(operand(index), type(index)),
    list: (index, other) => listSql(context, boundAt(call, index), boundAt(call, other)),
    digits: (index) => digitsOf(boundAt(call, index)),
    constant: (text) => placeholderFor(context, { kind: 'literal', text, type: 'string' }),
    instant: (moment) =>
      dialect.cast(placeholderFor(context, { kind: 'instant', type: moment }), moment),
  };
}

function boundAt(call: BoundCall, index: number): Bound {
  const bound = call.arguments[index];
  if (!bound) throw new Error(`Broken invariant: ${call.signature.name} has no argument ${index}`);
  return bound;
}

/** A null says its type, because nothing else tells the database which function is meant. */
function argumentAt(
  context: SentenceContext,
  call: BoundCall,
  index: number,
  render: (context: SentenceContext, bound: Bound) => string,
): string {
  const bound = boundAt(call, index);
  if (bound.kind !== 'null') return render(context, bound);
  return context.dialect.cast('NULL', typeOfArgument(call, index));
}

function typeOfArgument(call: BoundCall, index: number): PropertyType {
  return typeOf(boundAt(call, index)) ?? typeWithout(call, parameterAt(call, index));
}

function parameterAt({ signature }: BoundCall, index: number): FunctionParameter | undefined {
  return signature.parameters[index] ?? signature.parameters.at(-1);
}

/** The type of an argument of which nothing is known, from its parameter and those it agrees with. */
function typeWithout(call: BoundCall, parameter: FunctionParameter | undefined): PropertyType {
  switch (parameter?.type) {
    case undefined:
    case 'plain':
      return 'any';
    case 'same':
    case 'list':
      return call.arguments
        .filter((_, index) => ['same', 'list'].includes(parameterAt(call, index)?.type ?? 'any'))
        .reduce<PropertyType>(
          (type, each) => commonType(type, typeOf(each) ?? 'any') ?? type,
          'any',
        );
    case 'numeric':
      return 'decimal';
    case 'clock':
      return 'dateTime';
    default:
      return parameter?.type ?? 'any';
  }
}

function listSql(context: SentenceContext, list: Bound, other: Bound): ListSql {
  if (list.kind === 'list') {
    const items = list.items.map((item) => renderBeside(context, item, other));
    return { kind: 'items', items };
  }
  if (list.kind !== 'parameter') throw new Error(`Broken invariant: ${list.kind} as a list`);
  const type = typeOf(list) ?? typeOf(other) ?? 'any';
  const { path } = list.slot;
  const placeholder = placeholderFor(context, { kind: 'parameter', path, type: `[${type}]` });
  const among = (value: string) =>
    context.dialect.amongItems(value, { placeholder, type }, toldBy(other));
  return { kind: 'parameter', among };
}

function digitsOf(bound: Bound): string | undefined {
  const isWhole =
    bound.kind === 'literal' && /^\d{1,9}$/.test(bound.text) && bound.type === 'integer';
  return isWhole ? bound.text : undefined;
}
