/** What becomes of several requests: one statement, and which of its rows are whose. */
import { KeyReader, type RowBytes, type Sentence } from '../../engine/index.js';
import { decodeText } from '../decode-text.js';
import type { Statement } from '../database/source.js';
import type { Member } from './member.js';

/** The statement of a batch. Equal requests share a group; each group has the rows of one. */
export interface Batch {
  readonly statement: Statement;
  /** The members of each group. */
  readonly groups: readonly (readonly Member[])[];
  /** Deals rows out: the answer tells the index of the group of a row; undefined: none. */
  readonly dealer: (rows: RowBytes) => (row: number) => number | undefined;
}

/** Whether the group is new. */
export function addTo(groups: Map<string, Member[]>, name: string, member: Member): boolean {
  const group = groups.get(name);
  if (group) group.push(member);
  else groups.set(name, [member]);
  return group === undefined;
}

/** Behind the columns of the sentence stands the number of the group, from 1. */
export function byNumber({ columns }: Sentence): Batch['dealer'] {
  return (rows) => {
    const reader = new KeyReader(rows, columns.length, decodeText);
    return (row) => Number(reader.at(row)) - 1;
  };
}
