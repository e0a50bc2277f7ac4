/** Several requests as one statement: its arguments, and which of its rows are whose. */
import {
  type Argument,
  fieldText,
  invariant,
  type ParameterValues,
  type RowBytes,
  type Sentence,
  sentenceArguments,
} from '../../engine/index.js';
import { decodeText } from '../execution/decode-text.js';
import { SourceError } from '../sources/source-error.js';
import type { Statement } from '../sources/source.js';
import type { LaneShape } from './lane-shape.js';
import type { Member } from './member.js';

/** The statement of a batch. Equal requests share a group; each group has the rows of one. */
export interface Batch {
  readonly statement: Statement;
  /** The members of each group. */
  readonly groups: readonly (readonly Member[])[];
  /** The index of the group that a row belongs to; undefined: none. */
  readonly groupOf: (rows: RowBytes, row: number) => number | undefined;
}

/** Puts the arguments of `members` together. Throws what a member's own arguments throw. */
export function createBatch(root: Sentence, shape: LaneShape, members: readonly Member[]): Batch {
  return shape.kind === 'keyed'
    ? keyedBatch(root, shape, members)
    : lateralBatch(root, shape, members);
}

function keyedBatch(
  root: Sentence,
  { keyed, isInteger }: Extract<LaneShape, { kind: 'keyed' }>,
  members: readonly Member[],
): Batch {
  const groups = new Map<string, Member[]>();
  for (const member of members) addTo(groups, keyOf(member, keyed.parameter, isInteger), member);
  const names = [...groups.keys()];
  const indexes = new Map(names.map((name, index) => [name, index]));
  const keys = names.filter((name) => name !== noKey).map((name) => name.slice(1));
  const sentence = { ...root, arguments: keyed.arguments };
  const parameters = sentenceArguments(sentence, firstOf(members).values, keys);
  return {
    statement: { text: keyed.text, parameters },
    groups: [...groups.values()],
    groupOf: (rows, row) =>
      indexes.get(`=${fieldText(rows, row, keyed.keyColumn, decodeText) ?? ''}`),
  };
}

/** Null is equal to nothing: such a request has no rows, whatever the others have. */
const noKey = '';

function keyOf({ values }: Member, parameter: string, isInteger: boolean): string {
  const text = values.texts.get(parameter);
  if (typeof text !== 'string') return noKey;
  return `=${isInteger ? integerKey(text) : text}`;
}

/** The digits as the database writes them. A text that may be none is not for a batch. */
function integerKey(text: string): string {
  if (/^(?:0|-?[1-9]\d{0,14})$/.test(text)) return text;
  if (!/^[+-]?\d+$/.test(text)) throw new SourceError('evaluation-failed');
  return BigInt(text).toString();
}

function lateralBatch(
  root: Sentence,
  { lateral, text }: Extract<LaneShape, { kind: 'lateral' }>,
  members: readonly Member[],
): Batch {
  const groups = new Map<string, Member[]>();
  const rows: (readonly (string | null)[])[] = [];
  for (const member of members) {
    const row = argumentTexts(root, lateral.listed, member.values);
    if (addTo(groups, JSON.stringify(row), member)) rows.push(row);
  }
  const lists = lateral.listed.map((_, index) => arrayText(rows.map((row) => row[index] ?? null)));
  const shared = argumentTexts(root, lateral.shared, firstOf(members).values);
  const ordinal = root.columns.length;
  return {
    statement: { text, parameters: [...lists, ...shared] },
    groups: [...groups.values()],
    groupOf: (rows, row) => Number(fieldText(rows, row, ordinal, decodeText)) - 1,
  };
}

function argumentTexts(root: Sentence, given: readonly Argument[], values: ParameterValues) {
  return sentenceArguments({ ...root, arguments: given }, values, []);
}

/** An array literal of PostgreSQL (manual, 8.15.2), every item quoted. */
function arrayText(items: readonly (string | null)[]): string {
  const texts = items.map((item) =>
    item === null ? 'NULL' : `"${item.replace(/["\\]/g, '\\$&')}"`,
  );
  return `{${texts.join(',')}}`;
}

/** Whether the group is new. */
function addTo(groups: Map<string, Member[]>, name: string, member: Member): boolean {
  const group = groups.get(name);
  if (group) group.push(member);
  else groups.set(name, [member]);
  return group === undefined;
}

function firstOf(members: readonly Member[]): Member {
  const [first] = members;
  invariant(first, 'a batch has members');
  return first;
}
