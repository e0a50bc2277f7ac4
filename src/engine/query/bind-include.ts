/** Binds includes: relations whose rows are returned inside the rows of their parents. */
import { EngineError, type Span } from '../errors.js';
import type {
  CallExpression,
  ClauseSyntax,
  Expression,
  MemberExpression,
} from '../language/ast.js';
import { didYouMeanWord } from '../language/did-you-mean.js';
import { pathOf } from '../language/path-of.js';
import { lambdaOf } from './bind-lambda.js';
import { bindSelect } from './bind-query.js';
import type { BoundInclude, RowSource } from './logical.js';
import { linkColumns, relationOf, rowOfEntity, unknownRelation } from './rows.js';
import { innerScope, type Scope, scopeOfInclude, scopeOfVariable } from './scope.js';

const refused = { refused: 'An aggregate is not allowed here.' };
const clausesOfIncludes = new Set(
  'filter where map select sort order page first last take include'.split(' '),
);

/** Binds `p=>p.details` or `p=>[p.details.filter(…), p.customer]`. */
export function bindInclude(
  scope: Scope,
  row: RowSource,
  clause: ClauseSyntax,
  depth: number,
): BoundInclude[] {
  const lambda = lambdaOf(clause);
  const inner = innerScope(scope, lambda.parameter, row, { aggregates: refused });
  const items = lambda.body.kind === 'list' ? lambda.body.items : [lambda.body];
  return items.map((item) => bindRelation(inner, { row, item, depth }));
}

/**
 * A relation in an include or a map: the row that it starts from, and its text with the clauses after
 * it.
 */
export interface RelationSyntax {
  readonly row: RowSource;
  readonly item: Expression;
  readonly depth: number;
  /** The name in the answer, if it differs from the relation's name. */
  readonly name?: string | undefined;
}

/** Binds a relation with its clauses. */
export function bindRelation(scope: Scope, syntax: RelationSyntax): BoundInclude {
  const { row, item, depth } = syntax;
  const { relation, span, calls, offset } = includedRelation(scope, row, item);
  checkDepth(scope, depth, span);
  for (const { name, nameSpan } of calls) checkClause(name, nameSpan);
  const target = rowOfEntity(scope.context, relation.entity, span);
  const parentKey = linkColumns(scope.context, target, { relation, span });
  const syntaxOfSelect = { row: target, offset, clauses: calls, depth: depth + 1 };
  const select = bindSelect(scopeOfInclude(scope), syntaxOfSelect);
  return { name: syntax.name ?? relation.name, relation, select, parentKey };
}

/**
 * The relation that an include names, the calls after it, and the offset of the last one. Throws `wrong-arguments` and
 * `unknown-relation`.
 */
export function includedRelation(scope: Scope, row: RowSource, item: Expression) {
  const { calls, head } = takeCalls(item);
  if (!isMemberOf(scope, head, row)) throw noRelation(row, item, head);
  const { name, nameSpan: span } = head;
  const relation = relationOf(row, name);
  if (!relation) throw unknownRelation(row.entity, name, span);
  return { relation, span, calls, offset: calls.at(-1)?.open ?? item.span.start };
}

/**
 * The calls at the end of an expression, in the order of the text, up to one that is not `taken`, and what is before
 * them.
 */
export function takeCalls(item: Expression, taken?: ReadonlySet<string>) {
  const calls: CallExpression[] = [];
  let head = item;
  while (head.kind === 'call' && head.receiver && (taken?.has(head.name) ?? true)) {
    calls.push(head);
    head = head.receiver;
  }
  return { head, calls: calls.reverse() };
}

/** Whether the expression is `variable.name`, and the variable stands for `row`. */
export function isMemberOf(
  scope: Scope,
  expression: Expression,
  row: RowSource,
): expression is MemberExpression {
  if (expression.kind !== 'member' || expression.object.kind !== 'name') return false;
  return scopeOfVariable(scope, expression.object)?.row === row;
}

/** Throws `include-too-deep` for an include inside of that many others. */
export function checkDepth({ context }: Pick<Scope, 'context'>, depth: number, span: Span): void {
  if (depth < context.includeDepthMax) return;
  const message = `Includes can nest at most ${context.includeDepthMax} deep.`;
  throw new EngineError('include-too-deep', message, { span });
}

function checkClause(name: string, span: Span): void {
  if (clausesOfIncludes.has(name)) return;
  const hint = didYouMeanWord(name, clausesOfIncludes);
  const message = `An included relation cannot have the clause '${name}'.`;
  throw new EngineError('unknown-clause', message, { span, hint });
}

function noRelation(row: RowSource, { span }: Expression, head: Expression): EngineError {
  const [variable, relation = '', ...rest] = pathOf(head) ?? [];
  const isPath = rest.length > 0 && relationOf(row, relation) !== undefined;
  const nested = rest.reduceRight((inner, name) => `.include(q=>q.${name}${inner})`, '');
  const hint = isPath
    ? `Write include(${variable}=>${variable}.${relation}${nested}).`
    : 'For example include(p=>p.details), or include(p=>[p.details, p.customer]).';
  const message = 'An include must name a relation of its entity.';
  return new EngineError('wrong-arguments', message, { span, hint });
}
