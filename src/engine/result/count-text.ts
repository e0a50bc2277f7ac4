/** Numbers of rows and pages: what `take` and `page` make of the data. */
import type { Argument, Count } from '../compiled-query.js';
import { EngineError } from '../errors.js';
import type { ParameterValues } from './arguments.js';

type CountArgument = Extract<Argument, { kind: 'count' | 'pageStart' | 'pageEnd' }>;

/**
 * The digits of a number of rows; null data ask for all of them. Throws `parameter-type` for a page before the
 * first and for fewer rows than none.
 */
export function countText(argument: CountArgument, values: ParameterValues): string {
  if (argument.kind === 'count') return (countOf(argument.count, 0n, values) ?? all).toString();
  const page = countOf(argument.page, 1n, values);
  const size = countOf(argument.size, 0n, values);
  if (page === undefined || size === undefined)
    return argument.kind === 'pageStart' ? '0' : `${all}`;
  return ((argument.kind === 'pageStart' ? page - 1n : page) * size).toString();
}

function countOf(count: Count, least: bigint, values: ParameterValues): bigint | undefined {
  if (count.kind === 'literal') return BigInt(count.value);
  const name = count.path.join('.');
  const text = values.texts.get(name);
  if (typeof text !== 'string') return undefined;
  const value = BigInt(text);
  if (value >= least && value <= countMax) return value;
  const message = `Parameter '${name}' must be at least ${least}, and at most ${countMax}.`;
  throw new EngineError('parameter-type', message, { place: `data.${name}` });
}

/** The greatest number of rows that the databases take for a limit. */
const all = 2n ** 63n - 1n;

/** So that a page's end still fits the databases' 64 bits. */
const countMax = 1_000_000_000n;
