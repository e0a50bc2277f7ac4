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
  if (!left || !right) return false;
  switch (left.kind) {
    case 'column':
      return (
        right.kind === 'column' &&
        (rows?.get(left.row) ?? left.row) === right.row &&
        left.column === right.column
      );
    case 'reading':
      return (
        right.kind === 'reading' &&
        left.property === right.property &&
        isSame(left.stored, right.stored, rows)
      );
    case 'parameter':
      return right.kind === 'parameter' && left.slot === right.slot;
    case 'literal':
      return right.kind === 'literal' && left.type === right.type && left.text === right.text;
    case 'null':
      return right.kind === 'null';
    case 'unary':
    case 'binary':
      return (
        right.kind === left.kind && left.operator === right.operator && sameParts(left, right, rows)
      );
    case 'call':
      return (
        right.kind === 'call' && left.signature === right.signature && sameParts(left, right, rows)
      );
    case 'aggregate':
      return (
        right.kind === 'aggregate' &&
        left.name === right.name &&
        left.distinct === right.distinct &&
        sameParts(left, right, rows)
      );
    case 'conditional':
    case 'list':
    case 'tuple':
      return right.kind === left.kind && sameParts(left, right, rows);
    case 'jsonPath':
      return (
        right.kind === 'jsonPath' &&
        left.type === right.type &&
        JSON.stringify(left.steps) === JSON.stringify(right.steps) &&
        isSame(left.document, right.document, rows)
      );
    case 'element':
      return right.kind === 'element' && left.index === right.index && sameParts(left, right, rows);
    case 'subselect':
      if (right.kind !== 'subselect') return false;
      if (rows) return isSameSubselect(left, right, rows);
      // Sub-selects of the same row differ at most in what they return.
      return (
        left.row === right.row &&
        left.name === right.name &&
        isSame(left.argument, right.argument, rows)
      );
  }
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
    default:
      return [];
  }
}

/** Whether `test` holds for the expression or any part of it, including sub-selects and their rows. */
export function someWithin(bound: Bound, test: (part: Bound) => boolean): boolean {
  const within = (part: Bound): boolean => someWithin(part, test);
  return test(bound) || partsOf(bound).some(within) || partsOfSubselect(bound).some(within);
}

function partsOfSubselect(bound: Bound): readonly Bound[] {
  if (bound.kind !== 'subselect') return [];
  const { keys, argument, filter, row, sort = [] } = bound;
  return [...keys, argument, filter, ...sort.map(({ value }) => value), ...guardsOf(row)].filter(
    (part) => part !== undefined,
  );
}

function guardsOf({ predicates, joins }: RowSource): readonly Bound[] {
  return [...predicates, ...[...joins.values()].flatMap(({ row }) => guardsOf(row))];
}

function sameParts(left: Bound, right: Bound, rows: Rows): boolean {
  return isSameList(partsOf(left), partsOf(right), rows);
}

function isSameList(left: readonly Bound[], right: readonly Bound[], rows: Rows): boolean {
  return (
    left.length === right.length && left.every((each, index) => isSame(each, right[index], rows))
  );
}
