/** What follows from a write of rows alone, worked out once as long as its plan is kept. */
import type { RowsWrite, WriteField } from '../../compiled-write.js';
import { Names } from './texts.js';

export interface WriteFacts {
  /** Those of its fields stand first, in the order of the fields. */
  readonly names: Names;
  /** Whether a row that is inserted may get values which it was not given. */
  readonly hasDefaults: boolean;
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
    hasDefaults: action !== 'update' && fields.some((field) => field.default),
    changing: fields.filter(({ writeValue }) => writeValue),
    generated: generated === -1 ? undefined : generated,
  };
  known.set(write, facts);
  return facts;
}
