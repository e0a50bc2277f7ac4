/**
 * Calls that listeners of lambdaorm make: `orm.execute(query, data, {stage, view})`, and those that
 * have no effect in Rowgate, which has neither a queue nor a console.
 */
import { compileQuery } from '../compile.js';
import type { CompiledQuery } from '../compiled-query.js';
import { EngineError } from '../errors.js';
import type {
  CallExpression,
  Expression,
  NameExpression,
  ObjectExpression,
} from '../language/ast.js';
import { pathOf } from '../language/path-of.js';
import { schemaExpressionLimits } from '../language/parse-template.js';
import { type DataValue, ExactNumber, valueAt } from '../values/data-value.js';
import { type Catalog, requireStage } from '../schema/catalog.js';
import type { View } from '../schema/model.js';

/** Executes another query, in the stage of the request or in another one. */
export interface ExecuteStep {
  readonly kind: 'execute';
  readonly query: Expression;
  readonly data: Expression | undefined;
  readonly stage: Expression | undefined;
  readonly view: Expression | undefined;
  readonly reads: readonly string[];
}

/** What an {@link ExecuteStep} executes for a request. */
export interface Execution {
  readonly text: string;
  readonly data: DataValue;
  readonly stage: string;
  readonly view: string;
}

const idle: readonly string[] = ['queue', 'kafka', 'console'];
/** Functions of older versions: `sendMessage` is now `queue.send`, and `console` is `console.log`. */
const idleFunctions: readonly string[] = ['sendMessage', 'console'];

/** The name of a call that has no effect, such as `queue.send`; undefined for any other expression. */
export function idleCall(expression: Expression): string | undefined {
  if (expression.kind !== 'call') return undefined;
  const { name, receiver } = expression;
  if (!receiver) return idleFunctions.includes(name) ? name : undefined;
  return receiver.kind === 'name' && idle.includes(receiver.name)
    ? `${receiver.name}.${name}`
    : undefined;
}

/** Whether an expression is a call of `orm.execute`. */
export function isExecuteCall(expression: Expression): expression is CallExpression {
  const { kind } = expression;
  if (kind !== 'call' || expression.receiver?.kind !== 'name') return false;
  return expression.receiver.name === 'orm' && expression.name === 'execute';
}

/** Reads a call of `orm.execute`. Throws for arguments that it does not accept. */
export function readExecute(call: CallExpression): Omit<ExecuteStep, 'reads'> {
  const [query, data, options, other] = call.arguments;
  if (!query || other) {
    const message = `'orm.execute' takes a query, its data and options.`;
    throw new EngineError('wrong-arguments', message, { span: call.nameSpan });
  }
  if (query.kind !== 'text' && !isRequestQuery(query)) {
    const message = `'orm.execute' executes 'query', or a query in quotes.`;
    throw new EngineError('wrong-arguments', message, { span: query.span });
  }
  if (data) checkData(data);
  const { stage, view } = readOptions(options);
  const executed = isRequestQuery(query) ? { ...query, name: 'query' } : query;
  return { kind: 'execute', query: executed, data, stage, view };
}

/** Whether an expression is the query of the request, which lambdaorm's documentation calls `expression`. */
function isRequestQuery(query: Expression): query is NameExpression {
  return query.kind === 'name' && (query.name === 'query' || query.name === 'expression');
}

/** What a step executes. Data, stage and view that it omits are those of the request. */
export function executionOf(
  { query, data, stage, view }: ExecuteStep,
  values: DataValue,
  request: { readonly stage: string; readonly view: string },
): Execution {
  const textOf = (expression: Expression | undefined, otherwise: string): string => {
    const value = expression && dataOf(expression, values);
    return typeof value === 'string' ? value : otherwise;
  };
  return {
    text: textOf(query, ''),
    data: data ? dataOf(data, values) : null,
    stage: textOf(stage, request.stage),
    view: textOf(view, request.view),
  };
}

/**
 * Throws if a literal stage or view does not exist, or if a literal query compiles in none of the
 * stages.
 */
export function checkExecute(
  catalog: Catalog,
  { query, stage, view }: ExecuteStep,
  views: readonly View[],
): void {
  const { stages } = catalog.schema;
  if (stage?.kind === 'text') requireStage(catalog, stage.value);
  if (view?.kind === 'text' && !views.some(({ name }) => name === view.value)) {
    throw new EngineError('unknown-view', `There is no view '${view.value}'.`);
  }
  if (query.kind !== 'text') return;
  const tried = stage?.kind === 'text' ? [stage.value] : stages.map(({ name }) => name);
  checkInSomeStage(tried, (name) => compileWrite(catalog, query.value, name));
}

/**
 * Throws the first error of a check that fails in all stages. Some stages need not be able to write the
 * entities of a listener.
 */
export function checkInSomeStage(
  stages: readonly string[],
  check: (stage: string) => unknown,
): void {
  const faults: unknown[] = [];
  for (const stage of stages) {
    try {
      check(stage);
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0 && faults.length === stages.length) throw faults[0];
}

const limits = { ...schemaExpressionLimits, includeDepthMax: 8 };

/** Compiles the query of a listener, without a view. Throws if it is invalid or does not write. */
export function compileWrite(catalog: Catalog, expression: string, stage: string): CompiledQuery {
  const plan = compileQuery(catalog, { expression, stage, view: catalog.defaultView, limits });
  if (plan.root.write) return plan;
  const message = 'The query of a listener must write: nothing would use the rows that it reads.';
  throw new EngineError('unsupported', message);
}

function readOptions(options: Expression | undefined): Pick<ExecuteStep, 'stage' | 'view'> {
  if (!options) return { stage: undefined, view: undefined };
  if (options.kind !== 'object') {
    const message = `The options of 'orm.execute' are an object with 'stage' and 'view'.`;
    throw new EngineError('wrong-arguments', message, { span: options.span });
  }
  const other = options.entries.find(({ key }) => key !== 'stage' && key !== 'view');
  if (other) {
    const message = `'orm.execute' has no option '${other.key}', only 'stage' and 'view'.`;
    throw new EngineError('wrong-arguments', message, { span: other.keySpan });
  }
  return { stage: optionOf(options, 'stage'), view: optionOf(options, 'view') };
}

function optionOf({ entries }: ObjectExpression, name: string): Expression | undefined {
  const value = entries.find(({ key }) => key === name)?.value;
  if (value && value.kind !== 'text' && !pathOf(value)) {
    const message = `Option '${name}' must be a quoted name, or a name of the listener.`;
    throw new EngineError('wrong-arguments', message, { span: value.span });
  }
  return value;
}

function checkData(expression: Expression): void {
  const { kind, span } = expression;
  if (kind === 'object') return expression.entries.forEach(({ value }) => checkData(value));
  if (kind === 'list') return expression.items.forEach(checkData);
  if (['text', 'number', 'boolean', 'null'].includes(kind) || pathOf(expression)) return;
  const message = `The data of 'orm.execute' can contain only literals and names of the listener.`;
  throw new EngineError('unsupported', message, { span });
}

function dataOf(expression: Expression, values: DataValue): DataValue {
  switch (expression.kind) {
    case 'text':
    case 'boolean':
      return expression.value;
    case 'number':
      return new ExactNumber(expression.text);
    case 'list':
      return expression.items.map((item) => dataOf(item, values));
    case 'object':
      return Object.fromEntries(
        expression.entries.map(({ key, value }) => [key, dataOf(value, values)]),
      );
    default:
      return valueAt(values, pathOf(expression) ?? []) ?? null;
  }
}
