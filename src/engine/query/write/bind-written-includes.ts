/**
 * Binds the includes of a write: relations whose rows are written or deleted together with their
 * parents.
 */
import type { WriteAction, WriteLink } from '../../compiled-write.js';
import { EngineError, type Span } from '../../errors.js';
import type { CallExpression, ClauseSyntax, Expression } from '../../language/ast.js';
import { isHeldByOther } from '../../schema/key-holder.js';
import type { Entity, Relation } from '../../schema/model.js';
import { checkDepth, includedRelation } from '../bind-include.js';
import { lambdaOf } from '../bind-lambda.js';
import type { RowSource } from '../logical.js';
import { leadsToMany, rowOfEntity } from '../rows.js';
import { type BindContext, innerScope, outermostScope, type Scope } from '../scope.js';
import { bindRows } from './bind-rows.js';
import type { BoundWrite, BoundWriteInclude } from './bound-write.js';
import { readArgument } from './read-argument.js';
import { writeClauseNamed } from './write-clauses.js';

export interface IncludeWriteTarget {
  /** What is done with the parents. */
  readonly action: WriteAction;
  readonly clauses: readonly ClauseSyntax[];
  /** How many includes contain the parents. */
  readonly depth: number;
}

/** Binds `p=>p.details` or `p=>[p.details.include(…), p.customer]`. */
export function bindWrittenIncludes(
  context: BindContext,
  row: RowSource,
  target: IncludeWriteTarget,
): BoundWriteInclude[] {
  const bound = target.clauses.flatMap((clause) => {
    const { parameter, body } = lambdaOf(clause);
    const scope = innerScope(outermostScope(context), parameter, row, { aggregates: 'allowed' });
    const items = body.kind === 'list' ? body.items : [body];
    return items.map((item) => bindItem(context, row, readItem(scope, row, item), target));
  });
  const names = bound.map(({ relation }) => relation.name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return bound;
  const span = target.clauses.at(-1)?.nameSpan;
  throw new EngineError('duplicate-clause', `Relation '${repeated}' is included twice.`, { span });
}

type IncludedItem = ReturnType<typeof readItem>;

/** The relation, the clause that writes its rows, if there is one, and its includes. */
function readItem(scope: Scope, row: RowSource, item: Expression) {
  const { relation, span, calls, offset } = includedRelation(scope, row, item);
  if (relation.through) throw readOnlyRelation(relation, span);
  const writes = calls.filter(({ name }) => writeClauseNamed(name));
  const others = calls.filter(({ name }) => name !== 'include' && !writeClauseNamed(name));
  const wrong = others[0] ?? writes[1];
  if (wrong) throw misplaced(wrong);
  return {
    relation,
    span,
    write: writes[0],
    includeClauses: calls.filter(({ name }) => name === 'include'),
    offset,
  };
}

function bindItem(
  context: BindContext,
  parent: RowSource,
  item: IncludedItem,
  { action, depth }: IncludeWriteTarget,
): BoundWriteInclude {
  const { relation, span } = item;
  checkDepth({ context }, depth, span);
  const own = actionOf(item, action);
  const row = writtenRow(context, relation.entity, span, own);
  const [from, to] = [parent.location.source.name, row.location.source.name];
  if (own === 'delete' && from !== to) {
    const message = `Relation '${relation.name}' leads from source '${from}' to source '${to}': a delete cannot include it.`;
    const hint = 'Delete its rows first, in a separate query.';
    throw new EngineError('unsupported', message, { span, hint });
  }
  if (own === 'delete' && item.write?.arguments.length) throw takesNothing(item.write, relation);
  // Each statement has its own parameters, relative to the objects of its rows.
  const inner = { ...context, parameters: new Map() };
  const bound: BoundWrite =
    own === 'delete'
      ? bindDeleted(inner, parent.entity, row, item, depth + 1)
      : bindRows(inner, {
          row,
          action: own,
          argument: item.write ? readArgument(item.write) : { kind: 'data', path: [] },
          shape: leadsToMany(relation) ? 'many' : 'one',
          link: linkOf(context, parent.entity, relation),
          includeClauses: item.includeClauses,
          offset: item.offset,
          depth: depth + 1,
          span,
        });
  const path = bound.kind === 'rows' ? bound.path : [];
  if (path.length > 0 && path.at(-1) !== relation.name) throw elsewhere(relation, path, span);
  return { relation, write: bound };
}

/** What is done with included rows. An update inserts those that do not exist. */
function actionOf({ write }: IncludedItem, parents: WriteAction): WriteAction {
  const written = write && writeClauseNamed(write.name);
  if (!write || !written) return parents === 'update' ? 'upsert' : parents;
  if (written.action === 'update' && parents !== 'update') throw updateOfNew(write, parents);
  const isDelete = written.action === 'delete';
  if (isDelete === (parents === 'delete') && written.rows !== 'all') return written.action;
  throw misplaced(write);
}

function bindDeleted(
  context: BindContext,
  parent: Entity,
  row: RowSource,
  { relation, span, includeClauses, offset }: IncludedItem,
  depth: number,
): BoundWrite {
  if (linkOf(context, parent, relation).holder === 'parent') {
    const message = `Relation '${relation.name}' leads to a row that other rows may refer to: a delete cannot include it.`;
    throw new EngineError('unsupported', message, { span });
  }
  const action = 'delete';
  const includes = bindWrittenIncludes(context, row, { action, clauses: includeClauses, depth });
  const rows = { row, filtered: row, filter: undefined, presentIn: undefined, keyedBy: undefined };
  const nothing = { assignments: [], base: [], constraints: [], conditions: [], checks: [] };
  return { kind: 'filtered', action, ...rows, ...nothing, includes, offset, nameSpan: span };
}

/** Which side of the relation has the foreign key. */
function linkOf({ catalog }: BindContext, parent: Entity, relation: Relation): WriteLink {
  const { from, to } = relation;
  return { holder: isHeldByOther(catalog, parent, relation) ? 'child' : 'parent', from, to };
}

function takesNothing({ name, nameSpan: span }: CallExpression, relation: Relation): EngineError {
  const message = `'${name}' of relation '${relation.name}' takes no argument: all rows that refer to the deleted ones are deleted.`;
  return new EngineError('wrong-arguments', message, { span });
}

/** The error for an argument that names another object than that of the included row. */
function elsewhere({ name }: Relation, path: readonly string[], span: Span): EngineError {
  const message = `The rows of relation '${name}' are the member '${name}' of the row that includes them, so they cannot be at '${path.join('.')}'.`;
  const hint =
    'Leave the argument out, or name members of these rows without a prefix: {name: name}.';
  return new EngineError('wrong-arguments', message, { span, hint });
}

function misplaced({ name, nameSpan: span }: CallExpression): EngineError {
  const message = `An included relation of a write cannot have the clause '${name}'.`;
  return new EngineError('unknown-clause', message, { span });
}

function updateOfNew({ nameSpan: span }: CallExpression, parents: WriteAction): EngineError {
  const message = `The rows that an ${parents} includes cannot have the clause 'update'.`;
  const hint = "'upsert' updates those that exist.";
  return new EngineError('unsupported', message, { span, hint });
}

function readOnlyRelation({ name, through }: Relation, span: Span): EngineError {
  const message = `Relation '${name}' leads through a join table, and cannot be written.`;
  const hint = `Insert and delete rows of '${through?.entity}'.`;
  return new EngineError('unsupported', message, { span, hint });
}

/**
 * The row that is written, which alone does not mean that rows of its entity are read. Throws `unknown-entity`, and
 * `unsupported` if it is read-only or the stage cannot write it.
 */
export function writtenRow(
  context: BindContext,
  name: string,
  span: Span,
  action: WriteAction,
): RowSource {
  const row = rowOfEntity({ ...context, action, usedEntities: undefined }, name, span);
  if (row.entity.view) {
    throw new EngineError('unsupported', `Entity '${name}' is read-only.`, { span });
  }
  return row;
}
