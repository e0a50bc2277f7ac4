/**
 * Checks the arguments of a call against the function's parameters, and infers the types of query
 * parameters.
 */
import { EngineError } from '../../errors.js';
import type { Expression } from '../../language/ast.js';
import { isArray } from '../../schema/array-types.js';
import type { PropertyType } from '../../schema/model.js';
import { bindExpression } from '../bind-expression.js';
import { asInstant, noteCompared, operandType, rejectOpaque, typeOf } from '../bind-operators.js';
import { checkEnumValues } from '../enum-values.js';
import { asScalar, besideValue, isOpenPath } from '../json-path.js';
import type { Bound } from '../logical.js';
import { narrowBound } from '../narrow-bound.js';
import { narrowSlot } from '../parameters.js';
import type { Scope } from '../scope.js';
import { integerHint, isNumeric, isTemporal, mismatch, nameType } from '../types.js';
import { agreeing } from './agreeing.js';
import { bindList, listHint } from './bind-list.js';
import type {
  FunctionParameter,
  FunctionSignature,
  ParameterKind,
  ParameterType,
} from './signature.js';

/** A function, and the name by which the query calls it. */
export interface Called {
  readonly signature: FunctionSignature;
  readonly name: string;
}

/** Binds the arguments in their order. Throws `type-mismatch` and `wrong-arguments`. */
export function bindArguments(
  scope: Scope,
  called: Called,
  expressions: readonly Expression[],
): readonly Bound[] {
  const bound = expressions.map((expression, index) =>
    parameterOf(called, index).type === 'list'
      ? bindList(scope, expression, purposeOf(called, index))
      : bindExpression(scope, expression),
  );
  const known = bound
    .flatMap(valuesOf)
    .find((each) => !isOpenPath(each) && typeOf(each) !== undefined);
  const checked = bound.map((each, index) => {
    const { type } = parameterOf(called, index);
    const value =
      known && type === 'same' ? besideValue(each, typeOf(known)) : scalarFor(each, type);
    return fitted(value, type, { called, index });
  });
  checked.forEach((each, index) => checkMost(each, called, index));
  const common = checked.map((_, index) =>
    ['same', 'list'].includes(parameterOf(called, index).type),
  );
  const agreed = agreeing(checked, common, `'${called.name}'`);
  if (called.signature.group === 'comparison') {
    noteCompared(agreed.flatMap(valuesOf));
    if (common.includes(true)) checkEnumValues(agreed.flatMap(valuesOf));
    const compared = agreed.filter((_, index) => parameterOf(called, index).type === 'same');
    rejectOpaque(compared, `'${called.name}' cannot compare`);
  }
  return agreed;
}

function valuesOf(bound: Bound): readonly Bound[] {
  return bound.kind === 'list' ? bound.items : [bound];
}

/**
 * The parameter that the argument at `index` belongs to. A rest parameter takes all further arguments.
 */
function parameterOf({ signature }: Called, index: number): FunctionParameter {
  const parameter = signature.parameters[index] ?? signature.parameters.at(-1);
  if (!parameter) throw new Error(`Broken invariant: ${signature.name} takes no arguments`);
  return parameter;
}

function purposeOf(called: Called, index: number): string {
  return `'${parameterOf(called, index).name}' of '${called.name}'`;
}

/**
 * Reads a path into JSON as the scalar that the parameter takes; as a string where it takes any type.
 */
function scalarFor(bound: Bound, wanted: ParameterType): Bound {
  if (wanted === 'boolean') return asScalar(bound, wanted);
  const isNumber = wanted === 'numeric' || wanted === 'integer' || wanted === 'decimal';
  return asScalar(bound, isNumber ? 'decimal' : 'string');
}

/** The argument, converted to the parameter's type. Throws `type-mismatch`. */
function fitted(
  bound: Bound,
  wanted: ParameterType,
  { called, index }: { readonly called: Called; readonly index: number },
): Bound {
  const inferred = inferredFrom(wanted);
  if (bound.kind === 'parameter') {
    if (inferred) narrowSlot(bound.slot, inferred, bound.span);
    return bound;
  }
  const value = asMoment(bound, wanted);
  const found = operandType(value);
  if (typeOf(value) === 'any' && inferred) narrowBound(value, inferred, 'taken');
  if (found === undefined || found === 'any' || accepts(wanted, found)) return value;
  const message = `${purposeOf(called, index)} takes ${nameOf(wanted)}, not ${nameType(found)}.`;
  throw mismatch(message, bound.span, misfitHint(called, wanted, found));
}

function misfitHint(
  { signature: { name } }: Called,
  wanted: ParameterType,
  found: PropertyType,
): string | undefined {
  if (name === 'includes' || name === 'contains') return listHint;
  return integerHint(wanted, found);
}

/** Checks a literal against the parameter's maximum. The database checks other values. */
function checkMost(bound: Bound, called: Called, index: number): void {
  const { max } = parameterOf(called, index);
  if (max === undefined || bound.kind !== 'literal' || Number(bound.text) <= max) return;
  const message = `${purposeOf(called, index)} can be at most ${max}.`;
  throw new EngineError('wrong-arguments', message, { span: bound.span });
}

/**
 * The type that a query parameter takes in this place; undefined if the other arguments determine it.
 */
export function inferredFrom(wanted: ParameterType): PropertyType | undefined {
  return isKind(wanted) ? kinds[wanted].inferred : wanted;
}

/** Reads a string literal as a date or a time if the parameter takes one. */
function asMoment(bound: Bound, wanted: ParameterType): Bound {
  if (wanted === 'clock') {
    const isTime = bound.kind === 'literal' && bound.text.charAt(2) === ':';
    return asInstant(bound, isTime ? 'time' : 'dateTime');
  }
  return wanted === 'dateTime' || wanted === 'time' ? asInstant(bound, wanted) : bound;
}

function accepts(wanted: ParameterType, found: PropertyType): boolean {
  if (isKind(wanted)) return kinds[wanted].accepts(found);
  if (wanted === 'any') return !isArray(found);
  return wanted === 'dateTime' ? isTemporal(found) : wanted === found;
}

function nameOf(wanted: ParameterType): string {
  return isKind(wanted) ? kinds[wanted].name : nameType(wanted);
}

function isKind(wanted: ParameterType): wanted is ParameterKind {
  return Object.hasOwn(kinds, wanted);
}

const always = () => true;
const kinds = {
  same: { inferred: undefined, name: nameType('any'), accepts: always },
  list: { inferred: undefined, name: 'a list', accepts: always },
  numeric: { inferred: 'decimal', name: nameType('number'), accepts: isNumeric },
  clock: {
    inferred: 'dateTime',
    name: 'a dateTime, a date or a time',
    accepts: (found) => isTemporal(found) || found === 'time',
  },
  plain: {
    inferred: 'any',
    name: 'a string, a number or a boolean',
    accepts: (found) => isNumeric(found) || found === 'string' || found === 'boolean',
  },
  sized: {
    inferred: 'string',
    name: 'a string or an array',
    accepts: (found) => found === 'string' || isArray(found),
  },
  whatever: { inferred: 'any', name: nameType('any'), accepts: always },
} satisfies Record<
  ParameterKind,
  { inferred: PropertyType | undefined; name: string; accepts(found: PropertyType): boolean }
>;
