/** The values of the names that listeners use: the request as an object of data. */
import type { CompiledQuery } from '../compiled-query.js';
import type { Expression } from '../language/ast.js';
import { namesIn } from '../query/write/constraints.js';
import { type DataObject, type DataValue, isDataObject, valueAt } from '../values/data-value.js';
import type { Capabilities } from '../values/evaluate/capabilities.js';
import { evaluate } from '../values/evaluate/evaluate.js';
import { evaluatedFor } from '../values/evaluate/evaluation-error.js';
import { type Value, valueOfData } from '../values/evaluate/value.js';
import type { CompiledListener, ListenerStep } from './compile-listeners.js';

/** The names of a listener with their values. */
export type ListenerValues = DataObject;

/** Whether a listener's condition is true, or it has none. */
export function appliesTo(
  { name, condition }: CompiledListener,
  values: ListenerValues,
  capabilities: Capabilities,
): boolean {
  return condition === undefined || valueOf(name, condition, values, capabilities) === true;
}

/**
 * Whether a listener may apply to requests with these known values, whatever the other values are:
 * false if a part of its condition reads only known values and is not true.
 */
export function mayApply(
  { name, condition }: CompiledListener,
  known: ListenerValues,
  context: Capabilities,
): boolean {
  const isKnown = (part: Expression) => namesIn(part).every((each) => Object.hasOwn(known, each));
  return partsOf(condition).every(
    (part) => !isKnown(part) || valueOf(name, part, known, context) === true,
  );
}

/** The conditions that must all hold. */
function partsOf(condition: Expression | undefined): readonly Expression[] {
  if (!condition) return [];
  if (condition.kind !== 'binary' || condition.operator !== '&&') return [condition];
  return [...partsOf(condition.left), ...partsOf(condition.right)];
}

export function valueOfStep(
  name: string,
  step: Extract<ListenerStep, { kind: 'expression' }>,
  values: ListenerValues,
  capabilities: Capabilities,
): Value {
  return valueOf(name, step.expression, values, capabilities);
}

/** The data for a listener's query. Values that the request does not have are null. */
export function dataOfStep({ parameters }: CompiledQuery, values: ListenerValues): DataObject {
  let data: DataObject = values;
  for (const { name } of parameters) data = withPath(data, name.split('.'));
  return data;
}

function valueOf(
  name: string,
  expression: Expression,
  values: ListenerValues,
  capabilities: Capabilities,
): Value {
  const own = (path: readonly string[]): Value => scalarOf(valueAt(values, path));
  return evaluatedFor({ what: `Listener '${name}'` }, () =>
    evaluate(expression, { ...capabilities, valueAt: own }),
  );
}

function scalarOf(value: DataValue | undefined): Value {
  return Array.isArray(value) ? value.map((item: DataValue) => scalarOf(item)) : valueOfData(value);
}

function withPath(object: DataObject, [step = '', ...rest]: readonly string[]): DataObject {
  const found = Object.hasOwn(object, step) ? object[step] : undefined;
  if (rest.length === 0) return found === undefined ? { ...object, [step]: null } : object;
  const inner = isDataObject(found) ? found : {};
  return { ...object, [step]: withPath(inner, rest) };
}
