/** Compares bound expressions, and lists their parts. */
import type { Bound, BoundSortKey, BoundSubselect, RowSource } from './logical.js';

/**
 * Whether two expressions compute the same value from the same rows. Literals are compared by value,
 * parameters by slot.
 */
export function sameBound(left: Bound, right: Bound): boolean {
  return isSame(left, right, undefined);
}

/** Whether two sub-selects have the same value, although each of them reads rows of its own. */
export function sameSubselect(left: BoundSubselect, right: BoundSubselect): boolean {
  return isSameSubselect(left, right, new Map());
}

/** The rows of the right side by those of the left side; undefined if sub-selects are not compared by what they read. */
type Rows = ReadonlyMap<RowSource, RowSource> | undefined;

function isSame(left: Bound | undefined, right: Bound | undefined, rows: Rows): boolean {
  if (left === right) return true;
  if (!left || !right || left.kind !== right.kind) return false;
  if (rows && left.kind === 'subselect' && right.kind === 'subselect') {
    return isSameSubselect(left, right, rows);
  }
  const others = ownOf(right, undefined);
  const isEqual = ownOf(left, rows).every((each, index) => each === others[index]);
  return isEqual && isSameList(comparedParts(left), comparedParts(right), rows);
}

/** What distinguishes an expression from others of its kind, besides its parts. */
function ownOf(bound: Bound, rows: Rows): readonly unknown[] {
  switch (bound.kind) {
    case 'column':
      return [rows?.get(bound.row) ?? bound.row, bound.column];
    case 'reading':
      return [bound.property];
    case 'parameter':
      return [bound.slot];
    case 'literal':
      return [bound.type, bound.text];
    case 'unary':
    case 'binary':
      return [bound.operator];
    case 'call':
      return [bound.signature];
    case 'aggregate':
      return [bound.name, bound.distinct];
    case 'jsonPath':
      return [bound.type, JSON.stringify(bound.steps)];
    case 'element':
      return [bound.index];
    case 'subselect':
      return [bound.row, bound.name];
    default:
      return [];
  }
}

function comparedParts(bound: Bound): readonly (Bound | undefined)[] {
  if (bound.kind === 'reading') return [bound.stored];
  // Sub-selects of the same row differ at most in what they return.
  return bound.kind === 'subselect' ? [bound.argument] : partsOf(bound);
}

function isSameSubselect(
  left: BoundSubselect,
  right: BoundSubselect,
  outer: ReadonlyMap<RowSource, RowSource>,
): boolean {
  const rows = new Map([...outer, ...matchedRows(left.row, right.row)]);
  const [sort = [], otherSort = []] = [left.sort, right.sort];
  return (
    left.name === right.name &&
    left.distinct === right.distinct &&
    left.row.entity === right.row.entity &&
    isSameList(left.keys, right.keys, outer) &&
    isSameList(left.ties, right.ties, rows) &&
    isSame(left.argument, right.argument, rows) &&
    isSame(left.filter, right.filter, rows) &&
    isSameList(valuesOf(sort), valuesOf(otherSort), rows) &&
    sort.every(({ descending }, index) => descending === otherSort[index]?.descending)
  );
}

function valuesOf(sort: readonly BoundSortKey[]): readonly Bound[] {
  return sort.map(({ value }) => value);
}

/** The rows and those that are joined to them by the same relations. */
function matchedRows(
  left: RowSource,
  right: RowSource,
): readonly (readonly [RowSource, RowSource])[] {
  const joined = [...left.joins].flatMap(([name, { row }]) => {
    const other = right.joins.get(name);
    return other ? matchedRows(row, other.row) : [];
  });
  return [[left, right], ...joined];
}

/** Whether a value is in the query or in the data. */
export function isGiven({ kind }: Bound): boolean {
  return kind === 'parameter' || kind === 'literal' || kind === 'null';
}

/** The direct parts of an expression, in the order of the text. */
export function partsOf(bound: Bound): readonly Bound[] {
  switch (bound.kind) {
    case 'unary':
      return [bound.operand];
    case 'binary':
      return [bound.left, bound.right];
    case 'conditional':
      return [bound.test, bound.consequent, bound.alternate];
    case 'list':
    case 'tuple':
      return bound.items;
    case 'jsonPath':
      return [bound.document];
    case 'element':
      return [bound.array];
    case 'call':
      return bound.arguments;
    case 'aggregate':
      return bound.argument ? [bound.argument] : [];
    case 'null':
      return bound.aggregate ? [bound.aggregate] : [];
    default:
      return [];
  }
}

/** Whether `test` holds for the expression or any part of it, outside of sub-selects. */
export function somePart(bound: Bound, test: (part: Bound) => boolean): boolean {
  return test(bound) || partsOf(bound).some((part) => somePart(part, test));
}

/** Whether `test` holds for the expression or any part of it, including sub-selects and their rows. */
export function someWithin(bound: Bound, test: (part: Bound) => boolean): boolean {
  return test(bound) || partsWithin(bound).some((part) => someWithin(part, test));
}

/** The expression and all its parts, including sub-selects and their rows. */
export function allWithin(bound: Bound, found: Bound[] = []): readonly Bound[] {
  found.push(bound);
  for (const part of partsWithin(bound)) allWithin(part, found);
  return found;
}

function partsWithin(bound: Bound): readonly Bound[] {
  const rows = bound.kind === 'subselect' ? rowsFrom(bound.row) : [];
  const guards = rows.flatMap(({ predicates }) => predicates);
  return [...partsOf(bound), ...partsOfSubselect(bound), ...guards];
}

/** The parts of a sub-select, without the conditions on its rows; any other expression has none. */
export function partsOfSubselect(bound: Bound): readonly Bound[] {
  if (bound.kind !== 'subselect') return [];
  const { keys, argument, filter, sort = [] } = bound;
  return [...keys, argument, filter, ...valuesOf(sort)].filter((part) => part !== undefined);
}

/** A row, and those that are joined to it. */
export function rowsFrom(row: RowSource): readonly RowSource[] {
  return [row, ...[...row.joins.values()].flatMap((join) => rowsFrom(join.row))];
}

function isSameList(
  left: readonly (Bound | undefined)[],
  right: readonly (Bound | undefined)[],
  rows: Rows,
): boolean {
  return (
    left.length === right.length && left.every((each, index) => isSame(each, right[index], rows))
  );
}
