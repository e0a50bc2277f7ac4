/** Compares bound expressions, and lists their parts. */
import type { Bound, RowSource } from './logical.js';

/**
 * Whether two expressions compute the same value from the same rows. Literals are compared by value,
 * parameters by slot.
 */
export function sameBound(left: Bound, right: Bound): boolean {
  if (left === right) return true;
  switch (left.kind) {
    case 'column':
      return right.kind === 'column' && left.row === right.row && left.column === right.column;
    case 'reading':
      return (
        right.kind === 'reading' &&
        left.property === right.property &&
        sameBound(left.stored, right.stored)
      );
    case 'parameter':
      return right.kind === 'parameter' && left.slot === right.slot;
    case 'literal':
      return right.kind === 'literal' && left.type === right.type && left.text === right.text;
    case 'null':
      return right.kind === 'null';
    case 'unary':
    case 'binary':
      return right.kind === left.kind && left.operator === right.operator && sameParts(left, right);
    case 'call':
      return right.kind === 'call' && left.signature === right.signature && sameParts(left, right);
    case 'aggregate':
      return (
        right.kind === 'aggregate' &&
        left.name === right.name &&
        left.distinct === right.distinct &&
        sameParts(left, right)
      );
    case 'conditional':
    case 'list':
    case 'tuple':
      return right.kind === left.kind && sameParts(left, right);
    case 'jsonPath':
      return (
        right.kind === 'jsonPath' &&
        left.type === right.type &&
        JSON.stringify(left.steps) === JSON.stringify(right.steps) &&
        sameBound(left.document, right.document)
      );
    case 'element':
      return right.kind === 'element' && left.index === right.index && sameParts(left, right);
    case 'subselect':
      return false;
  }
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

function sameParts(left: Bound, right: Bound): boolean {
  const others = partsOf(right);
  const parts = partsOf(left);
  return parts.length === others.length && parts.every((part, i) => isSame(part, others[i]));
}

function isSame(left: Bound, right: Bound | undefined): boolean {
  return right !== undefined && sameBound(left, right);
}
