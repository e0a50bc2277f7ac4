/** Builds one statement for several requests: its arguments, and a demultiplexer for its rows. */
import { addToGroup } from '../add-to-group.js';
import {
  columnArrays,
  invariant,
  KeyReader,
  keyOfText,
  type RowKey,
  type StatementPlan,
  parameterizeStatement,
} from '../../engine/index.js';
import { decodeText } from '../decode-text.js';
import { SourceError } from '../database/source-error.js';
import { type Batch, byNumber, textsOf } from './batch.js';
import type { Request } from './request.js';
import type { Strategy } from './strategy.js';
import { joinedBatch, unionBatch } from './union-batch.js';

/**
 * Combines the arguments of requests. Throws the error of the first request with invalid arguments.
 */
export function buildBatch(
  root: StatementPlan,
  strategy: Strategy,
  requests: readonly Request[],
): Batch {
  switch (strategy.kind) {
    case 'same':
      return sameBatch(root, requests);
    case 'in-list':
      return inListBatch(root, strategy, requests);
    case 'derived-table':
      return derivedBatch(root, strategy, requests);
    case 'joined-keys':
      return joinedBatch(root, strategy.joinedKeys, requests);
    case 'union':
      return unionBatch(root, strategy.union, requests);
  }
}

/** The plan's own statement, for requests with equal arguments. */
export function sameBatch(root: StatementPlan, requests: readonly Request[]): Batch {
  return {
    statement: parameterizeStatement(root, firstOf(requests).values, []),
    groups: [requests],
    demultiplexer: () => () => 0,
  };
}

function inListBatch(
  root: StatementPlan,
  { inList, isInteger }: Extract<Strategy, { kind: 'in-list' }>,
  requests: readonly Request[],
): Batch {
  const groups: Request[][] = [];
  const indexes = new Map<RowKey, number>();
  const keys: string[] = [];
  const keyless: Request[] = [];
  for (const request of requests) {
    const text = request.values.texts.get(inList.parameter);
    if (typeof text !== 'string') {
      keyless.push(request);
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
      indexes.set(key, groups.push([request]) - 1);
      keys.push(keyText);
    } else {
      groups[known]?.push(request);
    }
  }
  // Null equals nothing: such a request has no rows.
  if (keyless.length > 0) groups.push(keyless);
  const statement = { dialect: root.dialect, text: inList.text, arguments: inList.arguments };
  return {
    statement: parameterizeStatement(statement, firstOf(requests).values, keys),
    groups,
    demultiplexer: (rows) => {
      const reader = new KeyReader(rows, inList.keyColumn, decodeText);
      return (row) => indexes.get(reader.at(row) ?? noKey);
    },
  };
}

/** A value that is not the key of any request. */
const noKey = Number.NaN;

/** The digits as the database writes them. The batch fails for any other text. */
function integerText(text: string): string {
  if (!/^[+-]?\d+$/.test(text)) throw new SourceError('evaluation-failed');
  return BigInt(text).toString();
}

function derivedBatch(
  root: StatementPlan,
  { derivedTable, text }: Extract<Strategy, { kind: 'derived-table' }>,
  requests: readonly Request[],
): Batch {
  const groups = new Map<string, Request[]>();
  const rows: (readonly (string | null)[])[] = [];
  for (const request of requests) {
    const row = textsOf(root, derivedTable.listed, request.values);
    if (addToGroup(groups, JSON.stringify(row), request)) rows.push(row);
  }
  const shared = textsOf(root, derivedTable.shared, firstOf(requests).values);
  return {
    statement: { text, parameters: [...columnArrays(rows), ...shared] },
    groups: [...groups.values()],
    demultiplexer: byNumber(root),
  };
}

function firstOf(requests: readonly Request[]): Request {
  const [first] = requests;
  invariant(first, 'a batch has requests');
  return first;
}
