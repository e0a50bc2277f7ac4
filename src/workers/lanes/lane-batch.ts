/** Several requests as one statement: its arguments, and which of its rows are whose. */
import {
  type Argument,
  invariant,
  KeyReader,
  keyOfText,
  type ParameterValues,
  type RowKey,
  type Sentence,
  sentenceArguments,
  sentenceStatement,
} from '../../engine/index.js';
import { decodeText } from '../decode-text.js';
import { SourceError } from '../database/source-error.js';
import { addTo, type Batch, byNumber } from './batch.js';
import type { LaneShape } from './lane-shape.js';
import type { Member } from './member.js';
import { joinedBatch, unitedBatch } from './united-batch.js';

/**
 * Puts the arguments of `members` together; without a shape there is one member. Throws what a member's own
 * arguments throw.
 */
export function createBatch(
  root: Sentence,
  shape: LaneShape | undefined,
  members: readonly Member[],
): Batch {
  if (shape === undefined) return plainBatch(root, firstOf(members));
  switch (shape.kind) {
    case 'keyed':
      return keyedBatch(root, shape, members);
    case 'lateral':
      return lateralBatch(root, shape, members);
    case 'joined':
      return joinedBatch(root, shape.joined, members);
    case 'united':
      return unitedBatch(root, shape.united, members);
  }
}

/** One request by itself: the plan's own sentence, whose rows are all its own. */
function plainBatch(root: Sentence, member: Member): Batch {
  return {
    statement: sentenceStatement(root, member.values, []),
    groups: [[member]],
    dealer: () => () => 0,
  };
}

function keyedBatch(
  root: Sentence,
  { keyed, isInteger }: Extract<LaneShape, { kind: 'keyed' }>,
  members: readonly Member[],
): Batch {
  const groups: Member[][] = [];
  const indexes = new Map<RowKey, number>();
  const keys: string[] = [];
  const keyless: Member[] = [];
  for (const member of members) {
    const text = member.values.texts.get(keyed.parameter);
    if (typeof text !== 'string') {
      keyless.push(member);
      continue;
    }
    let key = keyOfText(text);
    let keyText = text;
    if (isInteger && typeof key === 'string') {
      keyText = integerText(text);
      key = keyOfText(keyText);
    }
    const known = indexes.get(key);
    if (known === undefined) {
      indexes.set(key, groups.push([member]) - 1);
      keys.push(keyText);
    } else {
      groups[known]?.push(member);
    }
  }
  // Null is equal to nothing: such a request has no rows, whatever the others have.
  if (keyless.length > 0) groups.push(keyless);
  const sentence = { dialect: root.dialect, text: keyed.text, arguments: keyed.arguments };
  return {
    statement: sentenceStatement(sentence, firstOf(members).values, keys),
    groups,
    dealer: (rows) => {
      const reader = new KeyReader(rows, keyed.keyColumn, decodeText);
      return (row) => indexes.get(reader.at(row) ?? noKey);
    },
  };
}

/** Not a key of any request. */
const noKey = Number.NaN;

/** The digits as the database writes them. A text that may be none is not for a batch. */
function integerText(text: string): string {
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
  return {
    statement: { text, parameters: [...lists, ...shared] },
    groups: [...groups.values()],
    dealer: byNumber(root),
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

function firstOf(members: readonly Member[]): Member {
  const [first] = members;
  invariant(first, 'a batch has members');
  return first;
}
