/**
 * The keys and aggregates of groups as columns of a select, over which another select computes. Some functions
 * have a sub-select of their own, to which an aggregate in it would belong.
 */
import type { Dialect } from '../dialects/dialect.js';
import { typeOf } from '../query/bind-operators.js';
import { hasAggregate } from '../query/groups.js';
import type { Bound } from '../query/logical.js';
import { partsOf, sameBound } from '../query/same-bound.js';
import type { Output } from './outputs.js';
import { renderColumn, type RenderContext } from './render-expression.js';
import { isRowFunction } from './row-tables.js';

/** Whether the expression contains such a function that has to be computed around the groups. */
export function hasRowFunction(dialect: Dialect, value: Bound, keys: readonly Bound[]): boolean {
  if (value.kind === 'aggregate' || isAmong(keys, value)) return false;
  if (isRowFunction(dialect, value)) {
    if (dialect.joinComputed || hasAggregate(value) || readsComputed(keys, value)) return true;
  }
  return partsOf(value).some((part) => hasRowFunction(dialect, part, keys));
}

function readsComputed(keys: readonly Bound[], value: Bound): boolean {
  if (isAmong(keys, value)) return value.kind !== 'column';
  return partsOf(value).some((part) => readsComputed(keys, part));
}

function isAmong(atoms: readonly Bound[], value: Bound): boolean {
  return atoms.some((each) => sameBound(each, value));
}

/** The distinct keys and aggregates that the values read, as columns. */
export function atomsOf(values: readonly Bound[], keys: readonly Bound[]): readonly Output[] {
  const atoms: Bound[] = [];
  const add = (atom: Bound): void => {
    if (!isAmong(atoms, atom)) atoms.push(atom);
  };
  const visit = (value: Bound): void => {
    if (value.kind === 'aggregate') add(value);
    else if (!isAmong(keys, value)) partsOf(value).forEach(visit);
  };
  keys.forEach(add);
  values.forEach(visit);
  return atoms.map((value, index) => ({ name: `__g${index + 1}`, value, role: 'value' }));
}

/** The context of the select around that of the groups, which is called `g`. */
export function overAtoms(context: RenderContext, atoms: readonly Output[]): RenderContext {
  const { dialect } = context;
  const named = (bound: Bound): string | undefined => {
    const atom = atoms.find(({ value }) => sameBound(value, bound));
    const sql = `g.${dialect.quoteAlias(atom?.name ?? '')}`;
    // Binary data is grouped and returned as base64.
    return atom && (typeOf(bound) === 'binary' ? dialect.ofBase64(sql) : sql);
  };
  return {
    ...context,
    named,
    columnText: (column) => named(column) ?? renderColumn(context, column),
  };
}
