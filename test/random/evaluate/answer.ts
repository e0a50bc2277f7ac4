/** Evaluates a reading query over rows in memory. */
import type {
  Expression,
  LambdaExpression,
  QuerySyntax,
} from '../../../src/engine/language/ast.js';
import { type Domain, type Entity, entityNamed } from '../world/domain.js';
import { hasAggregate } from './aggregate.js';
import { type Clauses, callsOn, clausesOf, lambdaOf } from './clauses.js';
import type { Data } from './data.js';
import { integer, wholeNumber } from './decimal.js';
import { type Expected, type ExpectedRow, type ExpectedRows, countOf } from './expected.js';
import { evaluate } from './expression.js';
import { groupBy } from './group-by.js';
import { type Column, mapOf, type MapShape } from './map.js';
import { type Place, within } from './place.js';
import { sortBy, sortKeysOf, valuesOfKey } from './sort.js';
import { relatedRows, type Row, type Tables } from './tables.js';
import { unsure } from './unsure.js';
import { identityOf, isCoded, isDecimal, type Value } from './value.js';

/** The answer for rows in memory. Throws `Unsure` if the language does not define it. */
export function answerQuery(
  domain: Domain,
  tables: Tables,
  query: QuerySyntax,
  data: Data,
): ExpectedRows {
  const entity = entityNamed(domain, query.entity);
  const outside: Outside = {
    evaluate,
    domain,
    tables,
    data,
    variables: new Map(),
    included: new Map(),
  };
  const clauses = clausesOf(query.clauses);
  const rows = answerRows(
    { outside, entity, clauses, isIncluded: false },
    tables.get(entity.name) ?? [],
  );
  if (!clauses.one('count')) return rows;
  const count = { kind: 'value', value: integer(BigInt(countOf(rows))) } as const;
  const row: ExpectedRow = { kind: 'row', members: new Map([['count', count]]) };
  return { kind: 'rows', classes: [[row]], from: 0, to: Infinity };
}

/** The scope outside of all lambdas, with the included rows that are known so far. */
interface Outside extends Place {
  readonly included: Map<Expression, Map<readonly Row[], ExpectedRows>>;
}

interface Select {
  readonly outside: Outside;
  readonly entity: Entity;
  readonly clauses: Clauses;
  readonly isIncluded: boolean;
}

interface MappedSelect extends Select {
  readonly map: MapShape;
}

/** A row of the answer before its map: a single row, or the rows of a group. */
interface Entry {
  readonly row: Row | undefined;
  readonly rows: readonly Row[];
}

function answerRows(select: Select, all: readonly Row[]): ExpectedRows {
  const { outside, entity, clauses } = select;
  const filters = clauses.all('filter').map(lambdaOf);
  const kept = all.filter((row) =>
    filters.every((each) => evaluate(within(outside, each, { entity, row }), each.body) === true),
  );
  const mapped = { ...select, map: mapOf(clauses, entity) };
  const isGrouped = mapped.map.columns.some(({ value }) => hasAggregate(value));
  const entries = isGrouped ? groupsOf(mapped, kept) : kept.map((row) => ({ row, rows: [row] }));
  // A value that cannot be computed for a group fails the query, even if `having` removes the
  // group.
  if (isGrouped) for (const entry of entries) rowOf(mapped, entry);
  const having = clauses.one('having');
  const left = having
    ? entries.filter((entry) => valueAt(mapped, entry, lambdaOf(having)) === true)
    : entries;
  const distinct = clauses.one('distinct') ? distinctEntries(mapped, left) : left;
  const classes = sortEntries(mapped, distinct, isGrouped);
  const rows = classes.map((each) => each.map((entry) => rowOf(mapped, entry)));
  return { kind: 'rows', classes: rows, ...cutOf(outside, clauses) };
}

function groupsOf(select: MappedSelect, rows: readonly Row[]): Entry[] {
  const keys = select.map.columns.filter(({ value }) => !hasAggregate(value));
  if (keys.length === 0) return [{ row: rows[0], rows }];
  const groups = groupBy(rows, (row) => identityAt(select, { row, rows: [row] }, keys));
  return [...groups.values()].map((each) => ({ row: each[0], rows: each }));
}

function identityAt(select: MappedSelect, entry: Entry, columns: readonly Column[]): string {
  const place = placeOf(select, entry, select.map.variable);
  return columns.map(({ value }) => identityOf(evaluate(place, value))).join('\n');
}

function distinctEntries(select: MappedSelect, entries: readonly Entry[]): Entry[] {
  const { columns } = select.map;
  const byIdentity = groupBy(entries, (entry) => identityAt(select, entry, columns));
  return [...byIdentity.values()].flatMap(([first]) => (first ? [first] : []));
}

function placeOf(select: MappedSelect, { row, rows }: Entry, variable: string | undefined): Place {
  const { outside, entity } = select;
  const { domain, tables, data } = outside;
  const at = (each: Row | undefined): Place => {
    const variables = new Map(outside.variables);
    // The variable of the map remains visible: sorts and havings may refer to names that the map
    // defines.
    for (const name of [select.map.variable, variable]) {
      if (name !== undefined) variables.set(name, { entity, row: each });
    }
    return { evaluate, domain, tables, data, variables };
  };
  return { ...at(row), group: rows.map(at) };
}

/** The value of the lambda of a sort or having, whose variable has the names that the map defines. */
function valueAt(select: MappedSelect, entry: Entry, lambda: LambdaExpression): Value {
  const names = new Map(select.map.columns.map(({ name, value }) => [name, value]));
  const outputs = { variable: lambda.parameter, names };
  return evaluate({ ...placeOf(select, entry, lambda.parameter), outputs }, lambda.body);
}

/**
 * Without a sort, included and limited rows are ordered by primary key; limited groups and distinct rows
 * without that key, by their columns.
 */
function sortEntries(
  select: MappedSelect,
  entries: readonly Entry[],
  isGrouped: boolean,
): readonly (readonly Entry[])[] {
  const { clauses, entity } = select;
  const isReversed = clauses.one('last') !== undefined;
  const directed = (value: Value, descending: boolean) => ({
    value,
    descending: descending !== isReversed,
  });
  const clause = clauses.one('sort');
  if (clause) {
    const lambda = lambdaOf(clause);
    const keys = sortKeysOf(lambda);
    return sortBy(entries, (entry) =>
      keys.flatMap(({ expression: body, descending }) =>
        valuesOfKey(valueAt(select, entry, { ...lambda, body })).map((value) =>
          directed(value, descending),
        ),
      ),
    );
  }
  const isCut = ['page', 'first', 'last'].some((name) => clauses.one(name));
  const isPlain = !isGrouped && !clauses.one('distinct');
  if (clauses.one('take') || !(isCut || (select.isIncluded && isPlain))) return [entries];
  if (isPlain || hasPrimaryKey(select)) {
    return sortBy(entries, ({ row }) =>
      entity.primaryKey.map((name) => directed(row?.get(name) ?? null, false)),
    );
  }
  const { columns, variable } = select.map;
  const keys = columns.filter(({ value }) => !hasAggregate(value));
  return sortBy(entries, (entry) => {
    const place = placeOf(select, entry, variable);
    return keys.flatMap(({ value }) =>
      valuesOfKey(orderOf(evaluate(place, value))).map((each) => directed(each, false)),
    );
  });
}

/** Rows are not sorted by binary values, and differently by intervals and addresses in each database. */
function orderOf(value: Value): Value {
  if (value === null || !isCoded(value) || value.kind === 'uuid') return value;
  return value.kind === 'binary'
    ? null
    : unsure('databases sort intervals and addresses differently');
}

function hasPrimaryKey({
  entity: { primaryKey },
  map: { columns, variable },
}: MappedSelect): boolean {
  const isColumn = (name: string) =>
    columns.some(
      ({ value }) =>
        value.kind === 'member' &&
        value.name === name &&
        value.object.kind === 'name' &&
        value.object.name === variable,
    );
  return primaryKey.length > 0 && primaryKey.every(isColumn);
}

function cutOf(outside: Place, clauses: Clauses): { from: number; to: number } {
  const number = (expression: Expression | undefined) => {
    const value = expression ? evaluate(outside, expression) : null;
    return value !== null && isDecimal(value) ? wholeNumber(value) : 1;
  };
  const page = clauses.one('page');
  if (page) {
    const [which, size] = [number(page.arguments[0]), number(page.arguments[1])];
    return { from: (which - 1) * size, to: which * size };
  }
  const take = clauses.one('take');
  if (take) return { from: 0, to: number(take.arguments[0]) };
  return { from: 0, to: clauses.one('first') || clauses.one('last') ? 1 : Infinity };
}

/** The columns in the order of the map, followed by the includes. */
function rowOf(select: MappedSelect, entry: Entry): ExpectedRow {
  const { map, clauses } = select;
  const place = placeOf(select, entry, map.variable);
  const members = new Map<string, Expected>();
  for (const { name, value } of map.columns) {
    members.set(name, { kind: 'value', value: evaluate(place, value) });
  }
  for (const include of clauses.all('include')) {
    const { body } = lambdaOf(include);
    for (const item of body.kind === 'list' ? body.items : [body]) {
      const { head } = callsOn(item);
      if (head.kind === 'member') members.set(head.name, includedOf(select, entry, item));
    }
  }
  for (const { name, value } of map.relations) members.set(name, includedOf(select, entry, value));
  return { kind: 'row', members };
}

function includedOf({ outside, entity }: Select, { row }: Entry, item: Expression): Expected {
  const { head, calls } = callsOn(item);
  const relation = entity.relations.find(
    ({ name }) => head.kind === 'member' && name === head.name,
  );
  if (!relation || !row) throw new Error('no relation');
  const target = entityNamed(outside.domain, relation.entity);
  const clauses = clausesOf(calls);
  const related = relatedRows(outside.tables, row, relation);
  const known = outside.included.get(item) ?? new Map<readonly Row[], ExpectedRows>();
  outside.included.set(item, known);
  // Included rows can only read their own row, so they are the same for every row that they belong
  // to.
  const rows =
    known.get(related) ??
    answerRows({ outside, entity: target, clauses, isIncluded: true }, related);
  known.set(related, rows);
  if (relation.isMany) return rows;
  const [only] = rows.classes.flat().slice(rows.from, rows.to);
  return only ?? { kind: 'value', value: null };
}
