/**
 * Compiles the listeners of a schema: conditions and expressions become syntax trees, and queries are
 * compiled for the stage of the request.
 */
import type { CompiledQuery } from '../compiled-query.js';
import { EngineError } from '../errors.js';
import type { Expression } from '../language/ast.js';
import { parseExpression } from '../language/parse-expression.js';
import { mapChildren } from '../language/children.js';
import { parseQuery } from '../language/parse-query.js';
import { schemaExpressionLimits } from '../language/parse-template.js';
import { namesIn } from '../query/write/constraints.js';
import { checkEvaluable } from '../query/write/evaluable.js';
import { type Catalog, createCatalog } from '../schema/catalog.js';
import { withEnumMembers } from '../schema/enum-members.js';
import type { Listener, Schema } from '../schema/model.js';
import {
  compileWrite,
  type ExecuteStep,
  idleCall,
  isExecuteCall,
  readExecute,
} from './execute-step.js';

/** What a listener runs. */
export type ListenerStep = { readonly reads: readonly string[] } & (
  | { readonly kind: 'expression'; readonly expression: Expression }
  /** The query's parameters are names of the listener, as in expressions. */
  | { readonly kind: 'query'; readonly text: string }
  | ExecuteStep
  /** A call of lambdaorm that has no effect in Rowgate. */
  | { readonly kind: 'idle'; readonly call: string }
);

const phases = ['before', 'after', 'error'] as const;

export type ListenerPhase = (typeof phases)[number];

export interface CompiledListener {
  readonly name: string;
  readonly on: Listener['on'];
  readonly condition: Expression | undefined;
  readonly steps: Readonly<Partial<Record<ListenerPhase, ListenerStep>>>;
  /** Whether its step `after`, or the condition of that step, reads the answer of the request. */
  readonly asksResult: boolean;
}

/** The names that a listener can use. `data`, `result` and `options` have members. */
const listenerNames: readonly string[] =
  'query data options entity action clause source dialect result error'.split(' ');

/** The listeners of a schema whose expressions have been checked. */
export function compileListeners(catalog: Catalog): readonly CompiledListener[] {
  return catalog.schema.listeners.map((listener) => {
    const { name, on, condition } = listener;
    const steps: Partial<Record<ListenerPhase, ListenerStep>> = {};
    for (const phase of phases) {
      const text = listener[phase];
      if (text !== undefined) steps[phase] = readStep(catalog, text);
    }
    const read = condition === undefined ? undefined : readCondition(catalog, condition);
    const { after } = steps;
    const asked = after ? [...after.reads, ...(read ? namesIn(read) : [])] : [];
    return { name, on, condition: read, steps, asksResult: asked.includes('result') };
  });
}

/** Parses a condition over the names of a listener. Throws if Rowgate cannot evaluate it. */
export function readCondition(catalog: Catalog, text: string): Expression {
  const expression = withoutQuery(parseStep(catalog, text));
  checkEvaluable(expression);
  checkNames(namesIn(expression), expression);
  return expression;
}

function parseStep({ unrestricted }: Catalog, text: string): Expression {
  const expression = parseExpression(text, schemaExpressionLimits);
  return withEnumMembers(unrestricted.schema.domain.enums, expression, new Set(listenerNames));
}

/** Schema files of lambdaorm also write `query.entity` for `entity`, and so on. */
function withoutQuery(expression: Expression): Expression {
  const { kind, span } = expression;
  const isOfQuery =
    kind === 'member' && expression.object.kind === 'name' && expression.object.name === 'query';
  return isOfQuery
    ? { kind: 'name', name: expression.name, span }
    : mapChildren(expression, withoutQuery);
}

/**
 * Parses a step: a query if it starts with an entity, otherwise an expression. Throws if it is neither.
 */
export function readStep(catalog: Catalog, text: string): ListenerStep {
  const query = queryOf(catalog, text);
  if (query) return { kind: 'query', text, reads: query };
  const called = readCall(catalog, text);
  if (called) return called;
  const expression = readCondition(catalog, text);
  return { kind: 'expression', expression, reads: namesIn(expression) };
}

function readCall(catalog: Catalog, text: string): ListenerStep | undefined {
  const expression = parseStep(catalog, text);
  const idle = idleCall(expression);
  if (idle !== undefined) return { kind: 'idle', call: idle, reads: [] };
  if (!isExecuteCall(expression)) return undefined;
  const step = readExecute(expression);
  const given = [step.data, step.stage, step.view].flatMap((each) => each ?? []);
  for (const each of given) checkNames(namesIn(each), each);
  return { ...step, reads: [...new Set(given.flatMap(namesIn))] };
}

/** A step that has no effect in Rowgate, and its listener and phase. */
export interface IdleStep {
  readonly listener: string;
  readonly phase: ListenerPhase;
  readonly call: string;
}

/** The steps of a schema's listeners that have no effect, to be reported when the program starts. */
export function idleSteps(schema: Schema): readonly IdleStep[] {
  return compileListeners(createCatalog(schema)).flatMap(({ name, steps }) =>
    phases.flatMap((phase) => {
      const step = steps[phase];
      return step?.kind === 'idle' ? [{ listener: name, phase, call: step.call }] : [];
    }),
  );
}

/** Compiles the query of a step like {@link compileWrite}. Its parameters are names of the listener. */
export function compileStep(catalog: Catalog, text: string, stage: string): CompiledQuery {
  const plan = compileWrite(catalog, text, stage);
  const other = plan.parameters.find(
    ({ name }) => !listenerNames.includes(name.split('.')[0] ?? ''),
  );
  if (other) throw unknownName(other.name);
  return plan;
}

/**
 * The names with which a query's parameters begin; undefined if the text does not start with an entity.
 */
function queryOf(catalog: Catalog, text: string): readonly string[] | undefined {
  const head = /^\s*([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)\s*\(/.exec(text)?.[1];
  const names = head?.split('.') ?? [];
  const { entity } = catalog.unrestricted;
  if (!names.some((_, index) => entity(names.slice(0, index + 1).join('.')))) return undefined;
  const { clauses } = parseQuery(text, schemaExpressionLimits);
  const given = clauses.flatMap((clause) => clause.arguments);
  return [...new Set(given.flatMap(namesIn))];
}

function checkNames(names: readonly string[], { span }: Expression): void {
  const other = names.find((name) => !listenerNames.includes(name));
  if (other !== undefined) throw unknownName(other, span);
}

function unknownName(name: string, span?: Expression['span']): EngineError {
  const message = `A listener has no name '${name}'.`;
  const hint = `The names are ${listenerNames.join(', ')}.`;
  return new EngineError('unknown-property', message, { span, hint });
}
