/** Compiles the text of an expression into the plan that is cached, executed and described. */
import { type CompileLimits, defaultCompileLimits } from './compile-limits.js';
import type { Argument, CompiledQuery, Parameter, StatementPlan } from './compiled-query.js';
import { dialectOf } from './dialects/dialects.js';
import { EngineError, invariant } from './errors.js';
import type { QuerySyntax } from './language/ast.js';
import { parseQuery } from './language/parse-query.js';
import { locate, positionAt } from './language/source.js';
import { countOfRows } from './query/added.js';
import { bindQuery } from './query/bind-query.js';
import { withEnumMembers } from './schema/enum-members.js';
import { isFoundByKey } from './query/found-by-key.js';
import type { BoundSelect } from './query/logical.js';
import { hasUnstablePage } from './query/unique-sort.js';
import {
  createSlots,
  type ParameterSlot,
  type ParameterSlots,
  parametersOfSlots,
  openGroups,
  takesOtherNumbers,
} from './query/parameters.js';
import { bindWrite } from './query/write/bind-write.js';
import type { BoundWrite } from './query/write/bound-write.js';
import { type Catalog, requireStage } from './schema/catalog.js';
import { catalogUnderView } from './schema/views.js';
import { batchStatementsOf } from './sql/batch-statements.js';
import { cursorPlanOf } from './sql/cursor-plan.js';
import { requireBoundedSql } from './sql/plan-size.js';
import type { IsHidden } from './sql/render-expression.js';
import { renderStatements } from './sql/render-statements.js';
import { renderWrite } from './sql/write/render-write.js';
import { readVariant } from './variant.js';

export interface CompileRequest {
  readonly expression: string;
  /** Default: `default`. */
  readonly stage?: string;
  /** Default: `default`. */
  readonly view?: string;
  /** Default: {@link defaultCompileLimits}. */
  readonly limits?: CompileLimits;
  /** The values that the plan expects, as `variant.ts` names them. */
  readonly variant?: readonly string[];
  /** Whether to read stored values, without the expressions of the schema. */
  readonly stored?: boolean;
  /** Whether dates that are otherwise answered as null are answered as they are stored. */
  readonly keepsDates?: true;
  /** For an update that sets the properties in the data: these properties. */
  readonly presentProperties?: readonly string[];
  /** Whether to count the rows that a query would have without its page. */
  readonly isTotal?: true;
}

/** Compiles an expression. Throws an {@link EngineError} with the position of the error. */
export function compileQuery(catalog: Catalog, request: CompileRequest): CompiledQuery {
  try {
    return compileOrThrow(catalog, request);
  } catch (error) {
    throw error instanceof EngineError ? locate(error, request.expression) : error;
  }
}

function compileOrThrow(catalog: Catalog, request: CompileRequest): CompiledQuery {
  const { expression, stage = 'default', view = 'default' } = request;
  const { limits = defaultCompileLimits } = request;
  const visible = catalogUnderView(catalog, view);
  requireStage(catalog, stage);
  const variant = readVariant(request.variant ?? []);
  const parameters = createSlots(variant);
  const syntax = withMembers(visible, parseQuery(expression, limits));
  const usedEntities = new Set<string>();
  const context = {
    usedEntities,
    catalog: visible,
    stage,
    parameters,
    nullParameters: new Set(variant.nulls),
    includeDepthMax: limits.includeDepthMax,
    ...(request.stored && { layer: 'stored' as const }),
  };
  const isHidden = visible.activeView && hiddenBy(visible);
  const place = (offset: number) => positionAt(expression, offset, 0);
  const written = bindWrite(context, syntax, request.presentProperties);
  const asked = written ?? bindQuery(context, syntax);
  const bound = request.isTotal ? totalOf(asked, parameters) : asked;
  const root =
    'kind' in bound
      ? renderWrite(bound, place, isHidden)
      : renderStatements(bound, place, isHidden, request.keepsDates);
  requireBoundedSql(root);
  const hasSelectListeners = catalog.schema.listeners.some(({ on }) => on.includes('select'));
  const cursor = 'kind' in bound ? undefined : cursorPlanOf(bound, root);
  const runsAlone = 'kind' in bound || hasSelectListeners || cursor;
  const batch = runsAlone ? undefined : batchStatementsOf(bound, root);
  const isSharable =
    !('kind' in bound) && !cursor && (isFoundByKey(bound) || !dialectOf(root.dialect).keepsPlans);
  const own =
    root.write?.kind === 'rows' ? root.parameters : parametersOfSlots(parameters.values());
  const query = {
    expression,
    stage,
    view,
    ...(request.isTotal && { isTotal: request.isTotal }),
    root,
    entities: [...usedEntities],
    parameters: own,
    nullSensitive: namesOf(parameters, ({ nullSensitive }) => nullSensitive),
    numberSensitive: namesOf(parameters, takesOtherNumbers),
    ...openGroups(parameters),
    ...answeredIn(root, own),
    ...(cursor && { cursor }),
    ...(!('kind' in bound) && hasUnstablePage(bound) && { hasUnstablePage: true as const }),
    ...(isSharable && { isSharable: true as const }),
    ...(batch && { batch }),
  };
  return Object.freeze({ ...query, bytes: BYTES_MIN + JSON.stringify(query).length * 2 });
}

function withMembers(catalog: Catalog, syntax: QuerySyntax): QuerySyntax {
  if (catalog.schema.domain.enums.length === 0) return syntax;
  const clauses = syntax.clauses.map((clause) => ({
    ...clause,
    arguments: clause.arguments.map((each) => withEnumMembers(catalog.schema.domain.enums, each)),
  }));
  return { ...syntax, clauses };
}

/** The number of rows that a query has without its page. */
function totalOf(bound: BoundWrite | BoundSelect, parameters: ParameterSlots): BoundSelect {
  invariant(!('kind' in bound), 'a write has no total of rows');
  const { after, ...rest } = bound;
  if (after) parameters.delete(after.parameter);
  const total = { ...rest, sort: [], limit: undefined, includes: [], counted: true };
  return bound.counted ? { ...total, ...countAlone } : total;
}

/** The single row of `count()`, for which groups and duplicates do not matter. */
const countAlone = {
  outputs: [{ name: 'count', value: countOfRows }],
  whole: false,
  distinct: false,
  grouped: true,
  having: undefined,
} as const;

/** The memory of even a small plan, as measured: its objects and its entry in a cache. */
const BYTES_MIN = 1024;

/** Names that a plan must not show. The view's own conditions may use properties that it hides. */
function hiddenBy(visible: Catalog): IsHidden {
  return ({ entity: { name } }, property) =>
    property === undefined
      ? visible.entity(name) === undefined
      : visible.property(name, property) === undefined;
}

function namesOf(slots: ParameterSlots, isMeant: (slot: ParameterSlot) => unknown): string[] {
  return [...slots].flatMap(([name, slot]) => (isMeant(slot) ? [name] : []));
}

/**
 * Parameters whose values are copied into the answer, including parameters that are not used
 * otherwise.
 */
function answeredIn(
  root: StatementPlan,
  parameters: readonly Parameter[],
): Pick<CompiledQuery, 'answered'> {
  const open = parameters.flatMap(({ name, type }) => (type === 'any' ? [name] : []));
  if (open.length === 0 || root.write) return {};
  const all = argumentsIn(root);
  const names = (isJson: boolean) =>
    new Set(
      all.flatMap((each) =>
        each.kind === 'parameter' && (each.isJson ?? false) === isJson ? [each.path.join('.')] : [],
      ),
    );
  const [answered, others] = [names(true), names(false)];
  return {
    answered: {
      only: open.filter((name) => !others.has(name)),
      also: open.filter((name) => others.has(name) && answered.has(name)),
    },
  };
}

function argumentsIn({ arguments: own, includes }: StatementPlan): readonly Argument[] {
  return [...own, ...includes.flatMap(({ statement }) => argumentsIn(statement))];
}
