/**
 * Functions whose SQL has a sub-select over a table that is computed from the row around it, such as a table of the
 * characters of a string. Where rows are grouped, some databases can read such a row only in FROM.
 */
import type { Dialect } from '../dialects/dialect.js';
import { typeOf } from '../query/bind-operators.js';
import type { Bound } from '../query/logical.js';
import { sameBound, somePart } from '../query/same-bound.js';
import { isArray } from '../schema/array-types.js';
import { isHeavy } from './name-arguments.js';
import { renderMaterialized, type RenderContext } from './render-expression.js';

/** Whether the function itself may have one. */
export function isRowFunction({ rowFunctions, joinComputed }: Dialect, value: Bound): boolean {
  if (value.kind !== 'call') return false;
  if (rowFunctions.has(value.signature.name)) return true;
  const mayNeedTable = (each: Bound) => isArray(typeOf(each) ?? 'any') || isHeavy(each);
  return joinComputed !== undefined && value.arguments.some(mayNeedTable);
}

/** The values of groups, given by their keys and aggregates, that have to be computed in FROM. */
export function joinedValues(dialect: Dialect, atoms: readonly Bound[]): readonly Bound[] {
  if (!dialect.joinComputed) return [];
  const values = atoms.flatMap((atom) =>
    atom.kind === 'aggregate' ? (atom.argument ?? []) : atom,
  );
  return values.filter(
    (value, index) =>
      somePart(value, (part) => isRowFunction(dialect, part)) &&
      values.findIndex((each) => sameBound(each, value)) === index,
  );
}

/** The context of a select that joins the values. */
export function namingJoined(context: RenderContext, values: readonly Bound[]): RenderContext {
  const named = (bound: Bound) => {
    const index = values.findIndex((each) => sameBound(each, bound));
    return index === -1 ? context.named?.(bound) : `joined.__v${index + 1}`;
  };
  return { ...context, named };
}

/** The join in FROM that computes the values. */
export function renderJoined(context: RenderContext, values: readonly Bound[]): string[] {
  const { joinComputed } = context.dialect;
  if (!joinComputed || values.length === 0) return [];
  const columns = values.map(
    (value, index) => `${renderMaterialized(context, value)} AS __v${index + 1}`,
  );
  return [joinComputed(columns.join(', '), 'joined')];
}
