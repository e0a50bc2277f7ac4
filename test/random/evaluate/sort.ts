/** Sorts rows into classes of rows with equal keys. */
import type { Expression, LambdaExpression } from '../../../src/engine/language/ast.js';
import type { Place } from './place.js';
import { scalarOf } from './json-value.js';
import { compareValues, isJsonValue, type Value } from './value.js';

/** A key: its value, and whether it is descending. Nulls come last ascending, and first descending. */
export interface SortKey {
  readonly expression: Expression;
  readonly descending: boolean;
}

/** The keys of `p=>p.x` or `p=>[asc(p.x), desc(p.y)]`. */
export function sortKeysOf({ body }: LambdaExpression): readonly SortKey[] {
  const items = body.kind === 'list' ? body.items : [body];
  return items.map((item) => {
    const isDirected = item.kind === 'call' && (item.name === 'desc' || item.name === 'asc');
    const expression = (isDirected ? (item.receiver ?? item.arguments[0]) : item) ?? item;
    return { expression, descending: isDirected && item.name === 'desc' };
  });
}

/** Sorts the rows of each class by the keys of the lambda. */
export function sortPlaces<Row>(
  rows: readonly Row[],
  lambda: LambdaExpression,
  placeOf: (row: Row) => Place,
): readonly (readonly Row[])[] {
  const keys = sortKeysOf(lambda);
  return sortBy(rows, (row) => {
    const place = placeOf(row);
    return keys.flatMap(({ expression, descending }) =>
      valuesOfKey(place.evaluate(place, expression)).map((value) => ({ value, descending })),
    );
  });
}

/** Two keys: parts of JSON are sorted by number, then by text. */
export function valuesOfKey(value: Value): readonly [Value, Value] {
  return isJsonValue(value)
    ? [scalarOf(value, 'decimal'), scalarOf(value, 'string')]
    : [value, null];
}

interface Keyed {
  readonly value: Value;
  readonly descending: boolean;
}

/** Sorts the rows by their keys, into a class for each set of equal rows. */
export function sortBy<Row>(
  rows: readonly Row[],
  keysOf: (row: Row) => readonly Keyed[],
): readonly (readonly Row[])[] {
  const keyed = rows.map((row) => ({ row, keys: keysOf(row) }));
  keyed.sort((a, b) => compareKeys(a.keys, b.keys));
  const classes: Row[][] = [];
  for (const [index, each] of keyed.entries()) {
    const before = keyed[index - 1];
    if (before && compareKeys(before.keys, each.keys) === 0) classes.at(-1)?.push(each.row);
    else classes.push([each.row]);
  }
  return classes;
}

function compareKeys(left: readonly Keyed[], right: readonly Keyed[]): number {
  for (const [index, { value, descending }] of left.entries()) {
    const order = compareNullsLast(value, right[index]?.value ?? null);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

function compareNullsLast(a: Value, b: Value): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareValues(a, b);
}
