/** Gives arguments that must have a common type that type. */
import type { PropertyType } from '../../schema/model.js';
import { asInstant, infer, joinOpen, operandType, typeOf } from '../bind-operators.js';
import type { Bound } from '../logical.js';
import { narrowBound } from '../narrow-bound.js';
import { elementAt } from '../elements.js';
import { commonType, mismatch, nameOfText, nameType } from '../types.js';

/**
 * The arguments, after those marked in `common` (and the items of lists among them) were given one
 * type: string literals beside dates become dates, and parameters take the type of the others. Throws
 * `type-mismatch`; `what` names the function.
 */
export function agreeing(
  bound: readonly Bound[],
  common: readonly boolean[],
  what: string,
): readonly Bound[] {
  const moment = momentAmong(bound.flatMap((each, at) => (common[at] ? itemsOf(each) : [])));
  const values = bound.map((each, at) => (common[at] ? asMoments(each, moment) : each));
  const compared = values.flatMap((each, at) => (common[at] ? itemsOf(each) : []));
  const type = inferTogether(compared, what);
  return values.map((each) => (each.kind === 'list' ? { ...each, type } : each));
}

/** The items of a list. An array is represented by its first item. */
function itemsOf(bound: Bound): readonly Bound[] {
  if (bound.kind === 'list') return bound.items;
  return [elementAt(bound, 0, bound.span) ?? bound];
}

/** The type among the values that is written as strings; undefined if there is none. */
function momentAmong(values: readonly Bound[]): PropertyType | undefined {
  const moments = values.map(typeOf).filter((type) => type && nameOfText(type));
  return moments.reduce(
    (left, right) => (left && right && commonType(left, right)) ?? left,
    moments[0],
  );
}

function asMoments(bound: Bound, moment: PropertyType | undefined): Bound {
  if (bound.kind !== 'list') return asInstant(bound, moment);
  return { ...bound, items: bound.items.map((item) => asInstant(item, moment)) };
}

/** The common type. Parameters are narrowed to it, or to each other if no type is known. */
function inferTogether(values: readonly Bound[], what: string): PropertyType {
  const used = typeOfAll(values, what, operandType);
  const type = typeOfAll(values, what, typeOf);
  const first = values.find(({ kind }) => kind === 'parameter');
  for (const value of values) {
    const isParameter = value.kind === 'parameter';
    if (!isParameter && typeOf(value) !== 'any') continue;
    if (type !== undefined && type !== 'any') narrowBound(value, type, 'met');
    else if (type && used === 'string') narrowBound(value, type, 'text');
    else if (first && isParameter) infer(first, value, value.span);
  }
  joinOpen(values);
  return type ?? 'any';
}

/**
 * The common type of the values that are not parameters, each of which has the type that `ofValue` returns; undefined
 * if there are none.
 */
function typeOfAll(
  values: readonly Bound[],
  what: string,
  ofValue: typeof typeOf,
): PropertyType | undefined {
  const [first, ...others] = values.filter((each) => ofValue(each) && each.kind !== 'parameter');
  if (!first) return undefined;
  let type = ofValue(first) ?? 'any';
  for (const other of others) {
    const found = ofValue(other) ?? 'any';
    const both = commonType(type, found);
    if (both === undefined) throw disagreement(what, type, found, other);
    type = both;
  }
  return type;
}

function disagreement(what: string, type: PropertyType, found: PropertyType, other: Bound) {
  const given = `${nameType(type)} and ${nameType(found)}`;
  return mismatch(`${what} takes values of one type, but was given ${given}.`, other.span);
}
