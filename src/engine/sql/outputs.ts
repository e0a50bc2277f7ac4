/** The columns of a statement: those that are returned, and those that only link rows. */
import type { Column } from '../compiled-query.js';
import type { Dialect } from '../dialects/dialect.js';
import { dialectOf } from '../dialects/dialects.js';
import { literalOf } from '../query/added.js';
import { typeOf } from '../query/bind-operators.js';
import { asGiven, isAnsweredAsGiven } from '../query/answered.js';
import { hasAggregate } from '../query/groups.js';
import type { Bound, BoundColumn, BoundSelect, BoundSortKey } from '../query/logical.js';
import { chosenParameters } from '../query/narrow-bound.js';
import { takesOtherNumbers } from '../query/parameters.js';
import { keyOf, keyValue } from '../query/rows.js';
import { sameBound } from '../query/same-bound.js';

export interface Output {
  readonly name: string;
  /** The name in SQL, if it differs. */
  readonly alias?: string;
  readonly value: Bound;
  readonly role: Column['role'];
  /** Whether it is a key that is compared with those of included rows. */
  readonly isLink?: true;
  /** Whether the value is JSON text from the request's data. */
  readonly isJson?: true;
}

/**
 * The columns of a select in the order of its SELECT list: the values, the keys that includes start from,
 * the root's own key (`__id`), the inputs of values that Rowgate computes (`__in1`), the sort keys of a
 * query with `after` (`__cursor0`), and, in an include, the key of its parent.
 */
export function outputsOf(
  select: BoundSelect,
  parentKey: readonly BoundColumn[] | undefined,
): readonly Output[] {
  const values = select.outputs.map(({ name, value }): Output => {
    const isGiven = isAnsweredAsGiven(value);
    return isGiven
      ? { name, value: asGiven(value), role: 'value', isJson: true }
      : { name, value, role: 'value' };
  });
  const { row } = select;
  const isPlainRoot = parentKey === undefined && select.whole;
  const ownKeys = isPlainRoot ? row.entity.primaryKey : [];
  const starts = select.includes.map(({ relation }) => relation.from);
  const own = new Set(ownKeys);
  const isOwn = ([name = '', other]: readonly string[]) => other === undefined && own.has(name);
  const all = [...starts.filter((names) => !isOwn(names)), ...ownKeys.map((name) => [name])];
  const byName = new Map(all.map((names) => [keyName(names), names]));
  const links = new Set(starts.map(keyName));
  const keys = [...byName].map(([name, names]): Output => {
    const isLink = links.has(name) && ({ isLink: true } as const);
    const key = keyValue(row, names);
    return { name, value: isLink ? exact(key) : key, role: 'key', ...isLink };
  });
  const inputs = inputsOf(values);
  const cursor = select.after ? select.sort.map(cursorPart) : [];
  if (parentKey === undefined)
    return withAliases(select, [...values, ...keys, ...inputs, ...cursor]);
  const parent = keyOf(parentKey);
  const tie: Output = {
    name: 'ServiceParentId',
    value: exact(parent),
    role: 'parent',
    isLink: true,
  };
  return withAliases(select, [...values, ...keys, ...inputs, tie]);
}

/** Begins the names of the columns that a cursor holds. */
export const CURSOR_NAME = '__cursor';

export function isCursorPart({ name, role }: Output): boolean {
  return role === 'key' && name.startsWith(CURSOR_NAME);
}

function cursorPart({ value }: BoundSortKey, index: number): Output {
  return { name: `${CURSOR_NAME}${index}`, value: exact(value), role: 'key' };
}

/**
 * A number with all digits of a double; with those of a `float` column, a cursor or a key would not match it. A sum
 * has them.
 */
export function exact(value: Bound): Bound {
  if (typeOf(value) !== 'number') return value;
  const right = literalOf('integer', '0');
  return { kind: 'binary', operator: '+', left: value, right, type: 'number', span: value.span };
}

/**
 * The values by which rows are grouped to group them by this column. The database compares the columns of a key as
 * they are, but a tuple of them as JSON, which distinguishes texts that a collation equates.
 */
export function groupedValues({ value, isLink }: Output): readonly Bound[] {
  if (isLink !== true) return [value];
  if (value.kind === 'tuple') return value.items;
  return value.kind === 'binary' ? [value.left] : [value];
}

/** The name of the column that holds the value of a key. */
export function keyName(names: readonly string[]): string {
  return `__${names.join()}`;
}

/** The name of a column in SQL. */
export function aliasOf({ name, alias }: Output): string {
  return alias ?? name;
}

/** Plain names, which every database accepts and distinguishes; the keys of a map may be any text. */
const PLAIN = /^[A-Za-z_]\w{0,59}$/;

/**
 * Replaces other names by __c0, __c1, …, as well as names that differ only in case, and those that ORDER BY or HAVING
 * refers to: in an expression, MySQL and MariaDB would read a column of that name, even one that is not in the schema.
 */
function withAliases(select: BoundSelect, outputs: readonly Output[]): readonly Output[] {
  const sorted = new Set(select.sort.map(({ output }) => output));
  const hasHaving = select.grouped && Boolean(select.having ?? select.after);
  const dialect = dialectOf(select.row.location.source.dialect);
  const isRead = ({ name, value }: Output) =>
    (sorted.has(name) && isSortedByName(dialect, value)) || (hasHaving && isNamedKey({ value }));
  const taken = new Set(outputs.map(({ name }) => name));
  let number = 0;
  const next = (): string => {
    const alias = `__c${number}`;
    number += 1;
    return taken.has(alias) ? next() : alias;
  };
  return outputs.map((output, index) => {
    const isPlain = PLAIN.test(output.name) && !isTaken(outputs, index);
    return isPlain && (dialect.repeatsPlaceholders || !isRead(output))
      ? output
      : { ...output, alias: next() };
  });
}

/** Whether ORDER BY refers to a value that is answered by its name. */
export function isSortedByName({ namesGroups }: Dialect, value: Bound): boolean {
  return value.kind !== 'column' && (namesGroups || !hasAggregate(value));
}

/** Whether HAVING may refer to the output by its name. */
export function isNamedKey({ value }: Pick<Output, 'value'>): boolean {
  return isBinaryKey(value) || isComputedKey(value);
}

export function isBinaryKey(value: Bound): boolean {
  return typeOf(value) === 'binary' && !hasAggregate(value);
}

export function isComputedKey(value: Bound): boolean {
  const isPlain = ['column', 'parameter', 'literal', 'null'].includes(value.kind);
  return !isPlain && !hasAggregate(value);
}

function isTaken(outputs: readonly Output[], index: number): boolean {
  const name = outputs[index]?.name.toLowerCase();
  return outputs.slice(0, index).some((other) => other.name.toLowerCase() === name);
}

/** The inputs of computed values that are not returned anyway. */
export function inputsOf(values: readonly Output[]): readonly Output[] {
  const inputs: Output[] = [];
  for (const { value } of values) {
    if (value.kind !== 'reading') continue;
    for (const input of value.inputs) {
      if (indexOfInput([...values, ...inputs], input.value) !== -1) continue;
      inputs.push({ name: `__in${inputs.length + 1}`, value: input.value, role: 'key' });
    }
  }
  return inputs;
}

/** The index of the output that already returns this value; -1 if there is none. */
function indexOfInput(outputs: readonly Output[], input: Bound): number {
  return outputs.findIndex(({ value }) =>
    sameBound(value.kind === 'reading' ? value.stored : value, input),
  );
}

/**
 * The type of the column, which includes other numbers if a parameter compared with integers may be
 * one.
 */
function answeredType(value: Bound): Column['type'] {
  const type = typeOf(value) ?? 'any';
  if (type !== 'integer') return type;
  return chosenParameters(value).some(({ slot }) => takesOtherNumbers(slot)) ? 'decimal' : type;
}

export function outputColumns(outputs: readonly Output[]): readonly Column[] {
  return outputs.map(({ name, value, role, isJson }): Column => {
    const column = { name, type: answeredType(value), role, ...(isJson && { isJson }) };
    if (value.kind !== 'reading') return column;
    const { entity, property, expression } = value;
    const inputs = value.inputs.map((input) => ({
      name: input.name,
      column: indexOfInput(outputs, input.value),
      type: typeOf(input.value) ?? 'any',
    }));
    return { ...column, read: { entity, property, expression, inputs } };
  });
}
