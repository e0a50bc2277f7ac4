/** `after(cursor)`: the rows that follow the previous page in the order of the sort. */
import { EngineError } from '../errors.js';
import type { ClauseSyntax } from '../language/ast.js';
import { pathOf } from '../language/path-of.js';
import { boundNull, condition, literalOf, noSpan } from './added.js';
import { typeOf } from './bind-operators.js';
import type { Clauses } from './clauses.js';
import type { Bound, BoundAfter, BoundSelect, BoundSortKey } from './logical.js';
import { type ParameterSlot, slotOf } from './parameters.js';
import type { Scope } from './scope.js';
import { missingKeys } from './unique-sort.js';

/**
 * Binds the clause last, so that nothing else can use its parameter. Adds the keys that make the sort
 * unique. Each part of the cursor is a separate parameter (`cursor.0`), which a query cannot name.
 */
export function bindAfter(scope: Scope, select: BoundSelect, clauses: Clauses): BoundSelect {
  const clause = clauses.one('after');
  if (!clause) return select;
  if (!clauses.one('take'))
    throw refusal(clause, "requires 'take(n)', the number of rows per page.");
  const { parameters, nullParameters } = scope.context;
  const path = pathOfCursor(clause);
  const name = path.join('.');
  if (parameters.has(name)) throw refusal(clause, `needs '${name}' for itself.`);
  Object.assign(slotOf(parameters, path), { type: 'string', shape: 'scalar', nullSensitive: true });
  const missing = missingKeys(select);
  if (!missing) throw refusal(clause, 'needs a primary key, or a sort by a unique key.');
  const sort = [...select.sort, ...missing];
  for (const { value } of sort) {
    rejectEnum(select, value);
    rejectEncoded(select, value);
  }
  const parts = sort.map(({ value }, index): Bound => {
    const part = [...path, String(index)];
    if (nullParameters.has(part.join('.'))) return boundNull;
    return { kind: 'parameter', slot: slotOfPart(part, value), span: noSpan };
  });
  const condition = nullParameters.has(name) ? undefined : conditionOf(sort, parts);
  return { ...select, sort, after: { parameter: name, condition } satisfies BoundAfter };
}

function pathOfCursor(clause: ClauseSyntax): readonly string[] {
  const [cursor, extra] = clause.arguments;
  const path = cursor && pathOf(cursor);
  if (path && !extra) return path;
  throw refusal(clause, 'takes a parameter, the cursor of the previous page.');
}

/** MySQL and MariaDB sort an enum by the order of its values, but compare it as a string. */
function rejectEnum({ row }: BoundSelect, value: Bound): void {
  const isText = row.location.source.dialect !== 'PostgreSQL';
  const column = value.kind === 'aggregate' && value.name !== 'count' ? value.argument : value;
  if (!isText || column?.kind !== 'column' || column.enumName === undefined) return;
  const message = `Pages after a cursor cannot be sorted by the enum '${column.property}'.`;
  const hint = `Sort by its text: concat(p.${column.property}).`;
  throw new EngineError('unsupported', message, { span: value.span, hint });
}

/** DISTINCT sorts by what it returns, which for binary values is their base64 and not their bytes. */
function rejectEncoded({ distinct }: BoundSelect, value: Bound): void {
  if (!distinct || typeOf(value) !== 'binary') return;
  const message = 'Pages after a cursor cannot be sorted by binary values with distinct.';
  throw new EngineError('unsupported', message, { span: value.span });
}

function slotOfPart(path: readonly string[], value: Bound): ParameterSlot {
  const slot = slotOf(new Map(), path);
  return Object.assign(slot, { type: typeOf(value) ?? 'string', shape: 'scalar' });
}

/**
 * `a > x || a == x && (b > y || …)`. The condition `a >= x` is added so that a database can start
 * reading an index there. Nulls come last in ascending order, and first in descending order.
 */
function conditionOf(sort: readonly BoundSortKey[], parts: readonly Bound[]): Bound {
  const [key, ...keys] = sort;
  const [part, ...others] = parts;
  if (!key || !part) return never;
  const isNext = isBehind(sort, parts);
  const mayBeNull = part.kind === 'null' || (!key.descending && isNullable(key.value));
  if (mayBeNull || keys.length === 0 || others.length === 0) return isNext;
  return condition('&&', condition(key.descending ? '<=' : '>=', key.value, part), isNext);
}

function isBehind(sort: readonly BoundSortKey[], parts: readonly Bound[]): Bound {
  const [key, ...keys] = sort;
  const [part, ...others] = parts;
  if (!key || !part) return never;
  const own = isGreater(key, part);
  if (keys.length === 0) return own ?? never;
  const equal = condition('&&', condition('==', key.value, part), isBehind(keys, others));
  return own ? condition('||', own, equal) : equal;
}

/** Whether the row follows by this key alone; undefined if no row can. */
function isGreater({ value, descending }: BoundSortKey, part: Bound): Bound | undefined {
  if (part.kind === 'null') return descending ? condition('!=', value, boundNull) : undefined;
  const greater = condition(descending ? '<' : '>', value, part);
  if (descending || !isNullable(value)) return greater;
  return condition('||', greater, condition('==', value, boundNull));
}

function isNullable(value: Bound): boolean {
  return value.kind !== 'column' || value.nullable;
}

const never = literalOf('boolean', 'false');

function refusal({ nameSpan }: ClauseSyntax, what: string): EngineError {
  return new EngineError('wrong-arguments', `Clause 'after' ${what}`, { span: nameSpan });
}
