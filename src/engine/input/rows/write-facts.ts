/** Facts about a write of rows, computed once and kept as long as its plan. */
import type { RowsWrite, WriteField } from '../../compiled-write.js';
import { Names } from './texts.js';
import type { StatementPlan } from '../../compiled-query.js';
import { invariant } from '../../errors.js';
import { dependencyOrder } from '../../schema/dependency-order.js';

export interface WriteFacts {
  /** The names of the write's fields come first, in their order. */
  readonly names: Names;
  /** The fields with a default, each after those that its default reads. */
  readonly defaulted: readonly WriteField[];
  /** The fields with a `writeValue`. */
  readonly changing: readonly WriteField[];
  /** The fields that the database generates if they are absent. */
  readonly generated: readonly WriteField[];
  /** Without the checks of written rows, to look up rows before they are written. */
  readonly lookUp: RowsWrite;
}

const known = new WeakMap<RowsWrite, WriteFacts>();

export function factsOf(write: RowsWrite): WriteFacts {
  const found = known.get(write);
  if (found) return found;
  const { checks: _checks, ...lookUp } = write;
  const { fields, action } = write;
  const names = new Names();
  for (const { property } of fields) names.positionOf(property);
  const facts = {
    names,
    defaulted: action === 'update' ? [] : inOrder(fields.filter((field) => field.default)),
    changing: fields.filter(({ writeValue }) => writeValue),
    generated: fields.filter((field) => field.generated),
    lookUp,
  };
  known.set(write, facts);
  return facts;
}

/**
 * Orders fields so that each follows those that its default reads. In a cycle, they keep their order.
 */
function inOrder(fields: readonly WriteField[]): readonly WriteField[] {
  const named = fields.map((field) => ({ name: field.property, field }));
  const ordered = dependencyOrder(named, ({ field: { default: fallback } }) => {
    const reads = fallback?.kind === 'expression' ? fallback.reads : [];
    return named.flatMap(({ name }) => (reads.includes(name) ? [name] : []));
  });
  return ordered.map(({ field }) => field);
}

export function rowsWriteOf({ write }: StatementPlan): RowsWrite {
  invariant(write?.kind === 'rows', 'a statement that writes rows of the data');
  return write;
}
