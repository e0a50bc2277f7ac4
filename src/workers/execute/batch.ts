/**
 * A batch: several requests as one statement, and a demultiplexer that assigns its rows to them.
 */
import {
  type Argument,
  KeyReader,
  parameterizeStatement,
  type ParameterValues,
  type RowBytes,
  type StatementPlan,
} from '../../engine/index.js';
import { decodeText } from '../decode-text.js';
import type { Statement } from '../database/statement.js';
import type { Request } from './request.js';

/** The statement of a batch. Equal requests form a group, which shares one set of rows. */
export interface Batch {
  readonly statement: Statement;
  readonly groups: readonly (readonly Request[])[];
  /** Returns the index of the group that a row belongs to; undefined if it belongs to none. */
  readonly demultiplexer: (rows: RowBytes) => GroupOfRow;
}

export type GroupOfRow = (row: number) => number | undefined;

/** The number of the group, from 1, is in the column after those of the statement. */
export function byNumber({ columns }: StatementPlan): Batch['demultiplexer'] {
  return (rows) => {
    const reader = new KeyReader(rows, columns.length, decodeText);
    return (row) => Number(reader.at(row)) - 1;
  };
}

/** The values of a request for some arguments of a statement. */
export function textsOf(
  { dialect, text }: StatementPlan,
  given: readonly Argument[],
  values: ParameterValues,
): readonly (string | null)[] {
  // Copying a frozen object by spreading it is slow.
  return parameterizeStatement({ dialect, text, arguments: given }, values, []).parameters;
}
