/** Binds expressions: resolves names to columns and parameters, and types literals and operators. */
import { assertNever, EngineError, type Span } from '../errors.js';
import type {
  Expression,
  MemberExpression,
  NameExpression,
  NumberLiteral,
} from '../language/ast.js';
import { bindAggregate } from './bind-aggregate.js';
import { bindCall } from './bind-call.js';
import { bindBinary, bindConditional, bindUnary, typeOf } from './bind-operators.js';
import { hasAggregate } from './groups.js';
import { elementAt } from './elements.js';
import type { Bound, RowSource } from './logical.js';
import { shapeSlot, slotOf } from './parameters.js';
import { columnOf } from './read-column.js';
import { joinedRow, leadsToMany, relationIn, auxiliaryRow, unknownProperty } from './rows.js';
import type { Relation } from '../schema/model.js';
import { type Scope, scopeOfVariable } from './scope.js';

/** Binds an expression to a single value. */
export function bindExpression(scope: Scope, expression: Expression): Bound {
  const { span } = expression;
  switch (expression.kind) {
    case 'text':
      return { kind: 'literal', text: expression.value, type: 'string', span };
    case 'number':
      return numberLiteral(expression);
    case 'boolean':
      return { kind: 'literal', text: String(expression.value), type: 'boolean', span };
    case 'null':
      return { kind: 'null', span };
    case 'name':
    case 'member':
      return computable(valueOf(bindPath(scope, expression), span));
    case 'unary':
      return bindUnary(expression, bindExpression(scope, expression.operand));
    case 'binary': {
      const left = bindExpression(scope, expression.left);
      return bindBinary(expression, left, bindExpression(scope, expression.right));
    }
    case 'conditional': {
      const test = bindExpression(scope, expression.test);
      const consequent = bindExpression(scope, expression.consequent);
      const alternate = bindExpression(scope, expression.alternate);
      return bindConditional(expression, test, consequent, alternate);
    }
    case 'call':
      return bindAggregate(scope, expression) ?? bindCall(scope, expression);
    case 'list':
      throw misplaced('A list', span);
    case 'object':
      throw misplaced('An object', span);
    case 'lambda':
      throw misplaced('A lambda', span);
    default:
      return assertNever(expression);
  }
}

/** What a path leads to: a row, or a value of a row or of the data. */
export type PathTarget =
  | { readonly kind: 'row'; readonly row: RowSource }
  | { readonly kind: 'value'; readonly value: Bound };

/** Follows a name or a chain of members to the row or the value that it leads to. */
export function bindPath(scope: Scope, expression: NameExpression | MemberExpression): PathTarget {
  const path = namesOf(expression);
  const first = path?.[0];
  if (!path || !first) throw misplaced('A property of this value', expression.span);
  const owner = scopeOfVariable(scope, first);
  if (owner?.row) return followPath(scope, owner, owner.row, path.slice(1), expression.span);
  const element = path.find(({ bracket }) => bracket);
  if (element) throw misplaced('An element', element.span);
  const names = path.map(({ name }) => name);
  const { context } = scope;
  const slot = slotOf(context.parameters, names);
  const { span } = expression;
  if (!context.nullParameters.has(names.join('.'))) {
    return { kind: 'value', value: { kind: 'parameter', slot, span } };
  }
  return { kind: 'value', value: { kind: 'null', span } };
}

interface PathStep {
  readonly name: string;
  readonly bracket?: MemberExpression['bracket'] | undefined;
  readonly span: Span;
}

function elementOf(document: Bound, path: readonly PathStep[], span: Span): Bound {
  const steps = path.map(({ name }) => name);
  return { kind: 'jsonPath', document, steps, type: 'json', span };
}

/** The names of `a.b.c`; undefined when the chain does not start with a name. */
function namesOf(expression: Expression): PathStep[] | undefined {
  const steps: PathStep[] = [];
  let at = expression;
  while (at.kind === 'member') {
    steps.push({ name: at.name, bracket: at.bracket, span: at.nameSpan });
    at = at.object;
  }
  if (at.kind !== 'name') return undefined;
  steps.push({ name: at.name, span: at.span });
  return steps.reverse();
}

/** Names that the map defines take precedence over the properties of the row. */
function followPath(
  scope: Scope,
  owner: Scope,
  row: RowSource,
  steps: readonly PathStep[],
  span: Span,
): PathTarget {
  const [only, ...more] = steps;
  const output = more.length === 0 && owner.outputs.find(({ name }) => name === only?.name);
  if (!output) return followMembers(owner, row, steps, span);
  if (scope.aggregates !== 'allowed' && hasAggregate(output.value)) {
    throw new EngineError('wrong-arguments', scope.aggregates.refused, { span });
  }
  return { kind: 'value', value: output.value };
}

function followMembers(
  scope: Scope,
  start: RowSource,
  steps: readonly PathStep[],
  span: Span,
): PathTarget {
  let row = start;
  for (const [index, step] of steps.entries()) {
    if (step.bracket) throw misplaced('An element', step.span);
    const relation = relationIn(scope.context, row, step.name);
    if (relation && (index < steps.length - 1 || !columnOf(scope.context, row, step.name, span))) {
      if (leadsToMany(relation)) throw manyInExpression(step);
      if (scope.context.predicateDepth !== undefined || row === scope.context.unjoined) {
        return followAuxiliary(scope, row, relation, steps.slice(index), span);
      }
      row = joinedRow(scope.context, row, { relation, span: step.span });
      continue;
    }
    const column = columnOf(scope.context, row, step.name, span);
    if (!column) throw unknownProperty(row, step.name, step.span);
    const [next, ...others] = steps.slice(index + 1);
    if (!next) return { kind: 'value', value: column };
    const element = next.bracket === 'number' && others.length === 0;
    const item = element && elementAt(computable(column), Number(next.name), span);
    if (item) return { kind: 'value', value: item };
    if (typeOf(column) !== 'json') throw noMembers(step.name, next);
    return { kind: 'value', value: elementOf(computable(column), [next, ...others], span) };
  }
  return { kind: 'row', row };
}

/**
 * The predicates of a row, and the expressions of a written row, cannot add joins to it: they read
 * related rows by sub-selects.
 */
function followAuxiliary(
  scope: Scope,
  outer: RowSource,
  relation: Relation,
  [step, ...rest]: readonly PathStep[],
  span: Span,
): PathTarget {
  const auxiliary = auxiliaryRow(scope.context, outer, { relation, span: step?.span ?? span });
  const target = followMembers(scope, auxiliary.row, rest, span);
  if (target.kind === 'row') return target;
  const { value: argument } = target;
  return {
    kind: 'value',
    value: { ...auxiliary, argument, type: typeOf(argument) ?? 'any', span },
  };
}

/** Binds an expression that is only returned, so that it may be a property that Rowgate computes. */
export function bindAnswered(scope: Scope, expression: Expression): Bound {
  if (expression.kind !== 'name' && expression.kind !== 'member') {
    return bindExpression(scope, expression);
  }
  const hint = 'Name one of its properties, or include the relation.';
  return valueOf(bindPath(scope, expression), expression.span, hint);
}

/** A value that the database can compute with. Throws `unsupported`. */
export function computable(value: Bound): Bound {
  if (value.kind !== 'reading') return value;
  const { property, span } = value;
  const message = `Property '${property}' is computed after its row is read: it can be returned, but not used in a filter, a sort or an expression.`;
  throw new EngineError('unsupported', message, { span });
}

function valueOf(target: PathTarget, span: Span, hint = 'Name one of its properties.'): Bound {
  if (target.kind === 'value') {
    const { value } = target;
    if (value.kind === 'parameter') shapeSlot(value.slot, 'scalar', span);
    return value;
  }
  const message = `A value is expected here, but this is a whole row of ${target.row.entity.name}.`;
  throw new EngineError('type-mismatch', message, { span, hint });
}

/** Throws `value-out-of-range` for a number beyond the range of a double. */
function numberLiteral({ text, span }: NumberLiteral): Bound {
  if (!Number.isFinite(Number(text))) {
    const message = 'The number is beyond the range of a double.';
    throw new EngineError('value-out-of-range', message, { span });
  }
  return { kind: 'literal', text, type: /^\d+$/.test(text) ? 'integer' : 'decimal', span };
}

function manyInExpression({ name, span }: PathStep): EngineError {
  const message = `Relation '${name}' leads to many rows, but an expression needs a single value.`;
  const hint = `Use include(p=>p.${name}), or an aggregate over it, such as p.${name}.count().`;
  return new EngineError('relation-to-many', message, { span, hint });
}

function noMembers(property: string, next: PathStep): EngineError {
  const message = `Property '${property}' is a single value: it has no '${next.name}'.`;
  const hint =
    next.name === 'length' ? 'length() is a function, as in p.name.length().' : undefined;
  return new EngineError('unknown-property', message, { span: next.span, hint });
}

function misplaced(what: string, span: Span): EngineError {
  const message = `${what} is not allowed here: a single value is expected.`;
  return new EngineError('type-mismatch', message, { span });
}
