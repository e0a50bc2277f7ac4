/** What follows from a write of rows alone, worked out once as long as its plan is kept. */
import type { RowsWrite, WriteField } from '../../compiled-write.js';
import { Names } from './texts.js';
import type { StatementPlan } from '../../compiled-query.js';
import { invariant } from '../../errors.js';

export interface WriteFacts {
  /** Those of its fields stand first, in the order of the fields. */
  readonly names: Names;
  /** Those that give a new row a value which it was not given, each behind those that it reads. */
  readonly defaulted: readonly WriteField[];
  /** The fields whose value is changed on its way. */
  readonly changing: readonly WriteField[];
  /** The position of the field that the database makes when there is none. */
  readonly generated: number | undefined;
}

const known = new WeakMap<RowsWrite, WriteFacts>();

export function factsOf(write: RowsWrite): WriteFacts {
  const found = known.get(write);
  if (found) return found;
  const { fields, action } = write;
  const names = new Names();
  for (const { property } of fields) names.positionOf(property);
  const generated = fields.findIndex((field) => field.generated);
  const facts = {
    names,
    defaulted: action === 'update' ? [] : inOrder(fields.filter((field) => field.default)),
    changing: fields.filter(({ writeValue }) => writeValue),
    generated: generated === -1 ? undefined : generated,
  };
  known.set(write, facts);
  return facts;
}

/** Those that read each other stay as they stand. */
function inOrder(fields: readonly WriteField[]): readonly WriteField[] {
  const ordered = new Set<WriteField>();
  const begun = new Set<WriteField>();
  const add = (field: WriteField): void => {
    if (begun.has(field)) return;
    begun.add(field);
    const { default: fallback } = field;
    const reads = fallback?.kind === 'expression' ? fallback.reads : [];
    for (const each of fields) if (reads.includes(each.property)) add(each);
    ordered.add(field);
  };
  for (const field of fields) add(field);
  return [...ordered];
}

export function rowsWriteOf({ write }: StatementPlan): RowsWrite {
  invariant(write?.kind === 'rows', 'a statement that writes rows of the data');
  return write;
}
