/** Binds calls of functions, in call form (`lower(p.name)`) and in method form (`p.name.lower()`). */
import { EngineError } from '../errors.js';
import type { CallExpression, Expression } from '../language/ast.js';
import { didYouMeanWord } from '../language/did-you-mean.js';
import { bindArguments } from './functions/bind-arguments.js';
import { isArrayLike, isListLike } from './functions/bind-list.js';
import type { FunctionDefinition, FunctionSignature } from './functions/signature.js';
import { ownFunctionNamed } from './functions/own.js';
import { functionNamed, functionNames } from './functions/table.js';
import { requireWhole, typeOf } from './bind-operators.js';
import type { Bound } from './logical.js';
import { nullWhenOfNulls } from './narrow-bound.js';
import { markSlot } from './parameters.js';
import { partsOf } from './same-bound.js';
import { type Scope, scopeOfVariable } from './scope.js';

/**
 * Binds a call to the function of that name. Throws `unknown-function`, `wrong-arguments` and
 * `type-mismatch`.
 */
export function bindCall(scope: Scope, call: CallExpression): Bound {
  const named = functionNamed(call.name);
  if (!named) throw unknownFunction(call);
  if (isOfMath(scope, call)) throw functionOfMath(call);
  const given = call.receiver ? [call.receiver, ...call.arguments] : call.arguments;
  checkCount(named, call, given.length);
  const { signature, expressions } = membership(scope, named, given);
  const bound = bindArguments(scope, { signature, name: call.name }, expressions);
  if (signature.group === 'convert' && signature.name !== 'toString') noteConverted(bound);
  const type = resultType(signature, bound);
  if (signature.group === 'numeric' && type === 'integer') requireWhole(bound);
  return nullWhenOfNulls({ kind: 'call', signature, arguments: bound, type, span: call.span });
}

/** Records the parameters among the values that a function converts. */
function noteConverted(values: readonly Bound[]): void {
  for (const value of values) {
    if (value.kind === 'parameter') markSlot(value.slot, 'isConverted');
    noteConverted(partsOf(value));
  }
}

/** `includes` of a list and a value, in either order, and `array.contains(value)` are `in(value, items)`. */
function membership(scope: Scope, signature: FunctionSignature, given: readonly Expression[]) {
  const [items, value] = given;
  const member = functionNamed('in');
  if (!items || !value || !member) return { signature, expressions: given };
  if (signature.name === 'includes' && value.kind === 'list')
    return { signature: member, expressions: given };
  const isSearch =
    (signature.name === 'includes' && isListLike(scope, items)) ||
    (signature.name === 'contains' && isArrayLike(scope, items));
  return isSearch
    ? { signature: member, expressions: [value, items] }
    : { signature, expressions: given };
}

function resultType({ returns, parameters }: FunctionSignature, bound: readonly Bound[]) {
  if (typeof returns === 'string') return returns;
  return returns(
    bound.map((each, index) => {
      const type = typeOf(each) ?? 'any';
      // The SQL of such a parameter makes a null of unknown type a number.
      return type === 'any' && parameters[index]?.type === 'numeric' ? 'decimal' : type;
    }),
  );
}

/** Throws `wrong-arguments` when the number of arguments does not fit the function. */
export function checkCount(
  signature: FunctionDefinition,
  call: Pick<CallExpression, 'name' | 'nameSpan'>,
  count: number,
): void {
  const { parameters } = signature;
  const least = parameters.filter(({ given }) => given === 'always').length;
  const most = parameters.some(({ given }) => given === 'rest') ? Infinity : parameters.length;
  if (count >= least && count <= most) return;
  const message = `Function '${call.name}' takes ${countText(least, most)}, but was given ${count}.`;
  const hint = `For example ${signature.example[0]}.`;
  throw new EngineError('wrong-arguments', message, { span: call.nameSpan, hint });
}

function countText(least: number, most: number): string {
  if (most === Infinity) return `${least} or more arguments`;
  if (least !== most) return `${least} or ${most} arguments`;
  if (least === 0) return 'no arguments';
  return least === 1 ? '1 argument' : `${least} arguments`;
}

/** Whether a call is written as in JavaScript: `Math.round(p.price)`. */
function isOfMath(scope: Scope, { receiver, arguments: given }: CallExpression): boolean {
  if (receiver?.kind !== 'name' || receiver.name !== 'Math' || given.length === 0) return false;
  return scopeOfVariable(scope, receiver) === undefined;
}

function functionOfMath({ name, nameSpan: span }: CallExpression): EngineError {
  const message = "There is no object 'Math'.";
  return new EngineError('unknown-function', message, { span, hint: `Write ${name}(…).` });
}

function unknownFunction({ name, nameSpan: span }: CallExpression): EngineError {
  if (ownFunctionNamed(name)) {
    const message = `Function '${name}' is evaluated by Rowgate, not by the database: it can be used in the schema file, but not in a query.`;
    return new EngineError('unsupported', message, { span });
  }
  const hint = didYouMeanWord(name, [...functionNames, 'exists']);
  return new EngineError('unknown-function', `There is no function '${name}'.`, { span, hint });
}
