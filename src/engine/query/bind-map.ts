/** Binds the output of a query: the columns of a map, or all properties. */
import { EngineError, type Span } from '../errors.js';
import type { Expression, LambdaExpression } from '../language/ast.js';
import { bindAnswered } from './bind-expression.js';
import { bindRelation, isMemberOf, takeCalls } from './bind-include.js';
import { optionalLambdaOf } from './bind-lambda.js';
import type { Clauses } from './clauses.js';
import { hasAggregate } from './groups.js';
import type { BoundInclude, BoundOutput, BoundSelect, RowSource } from './logical.js';
import { allProperties } from './read-column.js';
import { relationOf } from './rows.js';
import { innerScope, type Scope } from './scope.js';

/** The columns of a select, and the relations that a map returns as a whole. */
export type BoundMap = Pick<BoundSelect, 'outputs' | 'includes' | 'whole' | 'grouped'>;

/** Binds `map`, `distinct`, or the map of `first` and `last`. */
export function bindMap(scope: Scope, row: RowSource, clauses: Clauses, depth: number): BoundMap {
  const lambda = mapOf(clauses);
  if (!lambda) {
    const distinct = clauses.one('distinct');
    const outputs = allProperties(scope.context, row);
    if (distinct) rejectComputed(outputs, distinct.nameSpan);
    return { outputs, includes: [], whole: !distinct, grouped: false };
  }
  const inner = innerScope(scope, lambda.parameter, row, { aggregates: 'allowed' });
  const outputs: BoundOutput[] = [];
  const includes: BoundInclude[] = [];
  for (const entry of mapEntries(lambda.body)) {
    if (isWholeRow(inner, entry.value, row)) outputs.push(...allProperties(inner.context, row));
    else if (isRelation(inner, entry.value, row)) {
      includes.push(bindRelation(inner, { row, item: entry.value, depth, name: entry.key }));
    } else {
      const value = bindAnswered(inner, entry.value);
      outputs.push({ name: entry.key ?? nameOf(entry.value, entry.inList), value });
    }
  }
  rejectNames([...outputs, ...includes], lambda.body.span);
  const grouped = outputs.some(({ value }) => hasAggregate(value));
  if (grouped || clauses.one('distinct')) rejectComputed(outputs, lambda.body.span);
  return { outputs, includes, whole: false, grouped };
}

function mapOf(clauses: Clauses): LambdaExpression | undefined {
  const chosen = clauses.one('map') ?? clauses.one('distinct');
  const cut = clauses.one('first') ?? clauses.one('last');
  const own = cut && optionalLambdaOf(cut);
  if (chosen && own) {
    const message = `The map of '${cut.name}' cannot be combined with '${chosen.name}'.`;
    throw new EngineError('duplicate-clause', message, { span: cut.nameSpan });
  }
  return own ?? (chosen && optionalLambdaOf(chosen));
}

function mapEntries(body: Expression) {
  switch (body.kind) {
    case 'object':
      return body.entries.map(({ key, value }) => ({ key, value, inList: false }));
    case 'list':
      return body.items.map((value) => ({ key: undefined, value, inList: true }));
    default:
      return [{ key: undefined, value: body, inList: false }];
  }
}

function isWholeRow(scope: Scope, expression: Expression, row: RowSource): boolean {
  return expression.kind === 'name' && scope.variable === expression.name && scope.row === row;
}

/** Whether a map's entry is a relation, such as `p.category`, with or without clauses. */
function isRelation(scope: Scope, expression: Expression, row: RowSource): boolean {
  const { head } = takeCalls(expression, clausesOfMapped);
  if (!isMemberOf(scope, head, row)) return false;
  const isProperty = row.entity.properties.some(({ name }) => name === head.name);
  return relationOf(row, head.name) !== undefined && !isProperty;
}

const clausesOfMapped: ReadonlySet<string> = new Set([
  ...['filter', 'where', 'map', 'select', 'sort', 'order', 'page', 'include', 'take'],
]);

const conditionOperators: ReadonlySet<string> = new Set([
  ...['==', '===', '!=', '!==', '<>', '<', '<=', '>', '>=', '&&', '||'],
]);

/**
 * The name of a column without a key: the name of its property or function; inside a list, the whole
 * path joined by underscores. Throws `wrong-arguments` for other expressions.
 */
function nameOf(expression: Expression, inList: boolean): string {
  if (expression.kind === 'member') {
    const { object, name } = expression;
    return inList && object.kind === 'member' ? `${nameOf(object, true)}_${name}` : name;
  }
  if (expression.kind === 'call') return expression.name;
  if (expression.kind === 'name') return expression.name;
  const isCondition = expression.kind === 'binary' && conditionOperators.has(expression.operator);
  const hint = isCondition
    ? 'To choose rows, write filter(p=>…) before it.'
    : 'For example map(p=>({total: p.price*p.inStock})).';
  const message = 'A computed column needs a name.';
  throw new EngineError('wrong-arguments', message, { span: expression.span, hint });
}

/** The database cannot compare values that Rowgate computes. */
function rejectComputed(outputs: readonly BoundOutput[], span: Span): void {
  const computed = outputs.find(({ value }) => value.kind === 'reading');
  if (!computed) return;
  const message = `Column '${computed.name}' is computed after its row is read: rows cannot be grouped or made distinct by it.`;
  throw new EngineError('unsupported', message, { span });
}

/** PostgreSQL allows 1,664 columns in a SELECT list; some of them are our own. */
const columnsMax = 1600;

/** Rowgate adds columns named `__id`, `__row`, … and `ServiceParentId`; SQL has no empty names. */
const ownName = /^__|^ServiceParentId$|^$/;

function rejectNames(columns: readonly { readonly name: string }[], span: Span): void {
  if (columns.length === 0) {
    throw new EngineError('wrong-arguments', 'A map needs at least one column.', { span });
  }
  if (columns.length > columnsMax) {
    const message = `A map can have at most ${columnsMax} columns, not ${columns.length}.`;
    throw new EngineError('wrong-arguments', message, { span });
  }
  const own = columns.find(({ name }) => ownName.test(name));
  if (own) {
    const message = `A column cannot be named '${own.name}': that name is reserved.`;
    throw new EngineError('wrong-arguments', message, { span });
  }
  const seen = new Set<string>();
  for (const { name } of columns) {
    if (seen.has(name)) {
      const hint = 'Give one of them another name: map(p=>({other: …})).';
      throw new EngineError('wrong-arguments', `Two columns are named '${name}'.`, { span, hint });
    }
    seen.add(name);
  }
}
