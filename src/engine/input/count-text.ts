/** Reads the arguments of `take` and `page` from the data. */
import type { Argument, Count, StatementPlan } from '../compiled-query.js';
import { EngineError } from '../errors.js';
import type { ParameterValues } from './arguments.js';

type CountArgument = Extract<Argument, { kind: 'count' | 'pageStart' | 'pageEnd' }>;

/**
 * Checks the numbers of rows and pages of a statement and its includes, which may need no SQL for some data. Throws as
 * {@link countText} does.
 */
export function checkCounts(plan: Counted, values: ParameterValues): void {
  for (const argument of countsOf(plan)) countText(argument, values);
}

type Counted = Pick<StatementPlan, 'arguments' | 'includes'>;

/** The numbers of rows and pages of a statement and its includes. */
export function countsOf({ arguments: own, includes }: Counted): readonly CountArgument[] {
  const counts = own.filter(isCount);
  return includes.length === 0
    ? counts
    : [...counts, ...includes.flatMap(({ statement }) => countsOf(statement))];
}

function isCount(argument: Argument): argument is CountArgument {
  const { kind } = argument;
  return kind === 'count' || kind === 'pageStart' || kind === 'pageEnd';
}

/**
 * The digits of a number of rows; for `take`, null means all rows. Throws `parameter-type` if a number
 * of rows is negative, or if the number or the size of a page is missing or less than 1.
 */
export function countText(argument: CountArgument, values: ParameterValues): string {
  if (argument.kind === 'count') return (countOf(argument.count, 0n, values) ?? all).toString();
  const page = ofPage(argument.page, values);
  const size = ofPage(argument.size, values);
  return ((argument.kind === 'pageStart' ? page - 1n : page) * size).toString();
}

function ofPage(count: Count, values: ParameterValues): bigint {
  const value = countOf(count, 1n, values);
  if (value === undefined) throw outOfRange(count, 1n);
  return value;
}

function countOf(count: Count, least: bigint, values: ParameterValues): bigint | undefined {
  if (count.kind === 'literal') return BigInt(count.value);
  const name = count.path.join('.');
  const text = values.texts.get(name);
  if (typeof text !== 'string') return undefined;
  const value = BigInt(text);
  if (value >= least && value <= countMax) return value;
  throw outOfRange(count, least);
}

function outOfRange(count: Count, least: bigint): EngineError {
  const name = count.kind === 'parameter' ? count.path.join('.') : '';
  const message = `Parameter '${name}' must be between ${least} and ${countMax}.`;
  return new EngineError('parameter-type', message, { place: `data.${name}` });
}

/** The greatest number of rows that databases accept as a limit. */
const all = 2n ** 63n - 1n;

/** The greatest number, small enough that a page number times a page size fits into 64 bits. */
const countMax = 1_000_000_000n;
