/** The answer to a query over rows in memory. */
import type {
  ClauseSyntax,
  Expression,
  LambdaExpression,
  QuerySyntax,
} from '../../../src/engine/language/ast.js';
import { decimalText, wholeNumber } from './decimal.js';
import { evaluate, isAggregate, type Place, within } from './expression.js';
import { groupBy } from './group-by.js';
import { type EntityInfo, entityNamed, related, type Row } from './sample-domain.js';
import { compareValues, identityOf, isDecimal, textOf, type Value } from './value.js';

/** A number whose last digits are not known, for a comparison by eye. */
export interface Near {
  readonly near: number;
}

export type Answered =
  | null
  | boolean
  | string
  | Near
  | readonly Answered[]
  | { readonly [name: string]: Answered };

/** The rows of a query; numbers as `number …` with their digits. */
export function answerQuery(query: QuerySyntax, data: unknown): Answered {
  const entity = entityNamed(query.entity);
  const outside: Place = { variables: new Map(), data };
  const rows = answerRows(outside, entity, entity.rows, clausesOf(query.clauses));
  const isCounted = query.clauses.some(({ name }) => name === 'count');
  return isCounted ? [{ count: `number ${rows.length}` }] : rows;
}

interface Clauses {
  all(name: string): readonly ClauseSyntax[];
  one(name: string): ClauseSyntax | undefined;
}

/** What an entity's or a relation's calls are. */
type Call = Pick<ClauseSyntax, 'name' | 'arguments'>;

function clausesOf(calls: readonly Call[]): Clauses {
  const all = (name: string) => calls.filter((each) => each.name === name) as ClauseSyntax[];
  return { all, one: (name) => all(name)[0] };
}

function answerRows(
  outside: Place,
  entity: EntityInfo,
  rows: readonly Row[],
  clauses: Clauses,
): Answered[] {
  const filters = clauses.all('filter').map(lambdaOf);
  const kept = rows.filter((row) =>
    filters.every(
      (filter) => evaluate(within(outside, filter, { entity, row }), filter.body) === true,
    ),
  );
  const map = mapOf(clauses, entity);
  const isGrouped = map.outputs.some(({ value }) => isAggregate(value));
  const bare = kept.map((row): Entry => ({ row, places: [row] }));
  const entries = isGrouped ? groupsOf(outside, entity, map, kept) : bare;
  const context = { outside, entity, map };
  const having = clauses.one('having');
  const left = having
    ? entries.filter((entry) => valueAt(context, entry, lambdaOf(having)) === true)
    : entries;
  const sorted = sortEntries(context, left, clauses);
  const distinct = clauses.one('distinct') ? distinctEntries(context, sorted) : sorted;
  return cut(outside, distinct, clauses).map((entry) => answerEntry(context, entry, clauses));
}

interface MapOutput {
  readonly name: string;
  readonly value: Expression;
}

interface MapShape {
  readonly variable: string | undefined;
  readonly outputs: readonly MapOutput[];
}

function mapOf(clauses: Clauses, entity: EntityInfo): MapShape {
  const clause =
    clauses.one('map') ?? clauses.one('distinct') ?? clauses.one('first') ?? clauses.one('last');
  const [lambda] = clause?.arguments ?? [];
  if (lambda?.kind !== 'lambda') {
    const span = { start: 0, end: 0 };
    const object = { kind: 'name', name: 'p', span } as const;
    const outputs = [...entity.properties.keys()].map((name) => ({
      name,
      value: { kind: 'member', object, name, nameSpan: span, span } as const,
    }));
    return { variable: 'p', outputs };
  }
  const { body, parameter } = lambda;
  if (body.kind === 'object') {
    const outputs = body.entries.map(({ key, value }) => ({ name: key, value }));
    return { variable: parameter, outputs };
  }
  const items = body.kind === 'list' ? body.items : [body];
  return { variable: parameter, outputs: items.map((value) => ({ name: nameOf(value), value })) };
}

function nameOf(value: Expression): string {
  if (value.kind !== 'member') throw new Error('no name');
  return value.object.kind === 'member' ? `${nameOf(value.object)}_${value.name}` : value.name;
}

/** A row of the answer before its map: one row, or those of a group. */
interface Entry {
  readonly row: Row | undefined;
  readonly places: readonly Row[];
}

interface Context {
  readonly outside: Place;
  readonly entity: EntityInfo;
  readonly map: MapShape;
}

function groupsOf(
  outside: Place,
  entity: EntityInfo,
  map: MapShape,
  rows: readonly Row[],
): Entry[] {
  const keys = map.outputs.filter(({ value }) => !isAggregate(value));
  if (keys.length === 0) return [{ row: rows[0], places: rows }];
  const groups = groupBy(rows, (row) => {
    const place = placeOf({ outside, entity, map }, { row, places: [row] }, map.variable);
    return keys.map(({ value }) => identityOf(evaluate(place, value))).join('\n');
  });
  return [...groups.values()].map((places) => ({ row: places[0], places }));
}

function placeOf(
  { outside, entity, map }: Context,
  { row, places }: Entry,
  variable: string | undefined,
): Place {
  const at = (each: Row | undefined): Place => {
    const variables = new Map(outside.variables);
    // The map's own variable stays in reach: sorts and havings may name what the map made.
    for (const name of [map.variable, variable]) {
      if (name !== undefined) variables.set(name, { entity, row: each });
    }
    return { variables, data: outside.data };
  };
  return { ...at(row), group: places.map(at) };
}

function valueAt(context: Context, entry: Entry, { parameter, body }: LambdaExpression): Value {
  const outputs = new Map(context.map.outputs.map(({ name, value }) => [name, value]));
  return evaluate({ ...placeOf(context, entry, parameter), outputs }, body);
}

function sortEntries(context: Context, entries: readonly Entry[], clauses: Clauses): Entry[] {
  const sign = clauses.one('last') ? -1 : 1;
  const keys = sortKeys(context, clauses);
  const keyed = entries.map((entry) => ({ entry, values: keys.map(({ of }) => of(entry)) }));
  keyed.sort((a, b) => {
    for (const [index, { descending }] of keys.entries()) {
      const order = compareNullsLast(a.values[index] ?? null, b.values[index] ?? null);
      if (order !== 0) return descending ? -sign * order : sign * order;
    }
    return 0;
  });
  return keyed.map(({ entry }) => entry);
}

interface SortKey {
  readonly of: (entry: Entry) => Value;
  readonly descending: boolean;
}

/** Without a sort, the primary key; groups and distinct rows have none. */
function sortKeys(context: Context, clauses: Clauses): SortKey[] {
  const clause = clauses.one('sort');
  if (!clause) {
    return context.entity.primaryKey.map((name) => ({
      of: ({ row }) => row?.get(name) ?? null,
      descending: false,
    }));
  }
  const lambda = lambdaOf(clause);
  const items = lambda.body.kind === 'list' ? lambda.body.items : [lambda.body];
  return items.map((item) => {
    const isDirected = item.kind === 'call' && (item.name === 'desc' || item.name === 'asc');
    const body = (isDirected ? item.arguments[0] : item) ?? item;
    const of = (entry: Entry) => valueAt(context, entry, { ...lambda, body });
    return { of, descending: isDirected && item.name === 'desc' };
  });
}

function compareNullsLast(a: Value, b: Value): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareValues(a, b);
}

function distinctEntries(context: Context, entries: readonly Entry[]): Entry[] {
  const seen = new Map<string, Entry>();
  for (const entry of entries) {
    const place = placeOf(context, entry, undefined);
    const identity = context.map.outputs.map(({ value }) => identityOf(evaluate(place, value)));
    if (!seen.has(identity.join('\n'))) seen.set(identity.join('\n'), entry);
  }
  return [...seen.values()];
}

function cut(outside: Place, entries: readonly Entry[], clauses: Clauses): readonly Entry[] {
  const number = (expression: Expression | undefined) => {
    const value = expression ? evaluate(outside, expression) : null;
    return value !== null && isDecimal(value) ? wholeNumber(value) : 1;
  };
  const page = clauses.one('page');
  if (page) {
    const [which, size] = [number(page.arguments[0]), number(page.arguments[1])];
    return entries.slice((which - 1) * size, which * size);
  }
  const take = clauses.one('take');
  if (take) return entries.slice(0, number(take.arguments[0]));
  return clauses.one('first') || clauses.one('last') ? entries.slice(0, 1) : entries;
}

function answerEntry(context: Context, entry: Entry, clauses: Clauses): Answered {
  const place = placeOf(context, entry, undefined);
  const answer: Record<string, Answered> = {};
  for (const { name, value } of context.map.outputs)
    answer[name] = answered(evaluate(place, value));
  for (const include of clauses.all('include')) {
    const { body } = lambdaOf(include);
    for (const item of body.kind === 'list' ? body.items : [body])
      addRelation(context, entry, item, answer);
  }
  return answer;
}

function addRelation(
  { outside, entity }: Context,
  { row }: Entry,
  item: Expression,
  answer: Record<string, Answered>,
): void {
  const calls: Call[] = [];
  let head = item;
  while (head.kind === 'call' && head.receiver) {
    calls.unshift(head);
    head = head.receiver;
  }
  const relation = head.kind === 'member' ? entity.relations.get(head.name) : undefined;
  if (!relation || !row) throw new Error('no relation');
  const target = entityNamed(relation.entity);
  const rows = answerRows(outside, target, related(row, relation), clausesOf(calls));
  answer[relation.name] = relation.isMany ? rows : (rows[0] ?? null);
}

function answered(value: Value): Answered {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (!isDecimal(value)) return textOf(value);
  return value.rounded ? { near: Number(decimalText(value)) } : `number ${decimalText(value)}`;
}

function lambdaOf(clause: Call): LambdaExpression {
  const [lambda] = clause.arguments;
  if (lambda?.kind !== 'lambda') throw new Error(`${clause.name} takes a lambda`);
  return lambda;
}
