/** What becomes of several requests: one statement, and which of its rows are whose. */
import {
  type Argument,
  KeyReader,
  type ParameterValues,
  type RowBytes,
  type StatementPlan,
  statementArguments,
} from '../../engine/index.js';
import { decodeText } from '../decode-text.js';
import type { Statement } from '../database/statement.js';
import type { Request } from './request.js';

/** The statement of a batch. Equal requests share a group; each group has the rows of one. */
export interface Batch {
  readonly statement: Statement;
  /** The requests of each group. */
  readonly groups: readonly (readonly Request[])[];
  /** Demultiplexes rows: returns the index of the group of a row; undefined: none. */
  readonly demultiplexer: (rows: RowBytes) => GroupOfRow;
}

export type GroupOfRow = (row: number) => number | undefined;

/** Whether the group is new. */
export function addTo(groups: Map<string, Request[]>, name: string, request: Request): boolean {
  const group = groups.get(name);
  if (group) group.push(request);
  else groups.set(name, [request]);
  return group === undefined;
}

/** Behind the columns of the statement stands the number of the group, from 1. */
export function byNumber({ columns }: StatementPlan): Batch['demultiplexer'] {
  return (rows) => {
    const reader = new KeyReader(rows, columns.length, decodeText);
    return (row) => Number(reader.at(row)) - 1;
  };
}

/** The values that a request has for some arguments of a statement. */
export function textsOf(
  { dialect, text }: StatementPlan,
  given: readonly Argument[],
  values: ParameterValues,
): readonly (string | null)[] {
  // Reading a copy by `...` of a frozen object is slow.
  return statementArguments({ dialect, text, arguments: given }, values, []);
}
