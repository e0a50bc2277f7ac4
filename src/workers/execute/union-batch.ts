/**
 * Batches with UNION ALL: of the statements of all requests, or of the keys that a table is joined
 * with. Only a few sizes are used, so that statements stay prepared. The rest is filled with the
 * last request or a key that matches nothing; such rows are ignored.
 */
import { addToGroup } from '../add-to-group.js';
import {
  type Argument,
  invariant,
  type JoinedKeysStatement,
  type StatementPlan,
  type ParameterizedStatement,
  parameterizeStatement,
  type UnionStatement,
} from '../../engine/index.js';
import type { Statement } from '../database/statement.js';
import { type Batch, byNumber } from './batch.js';
import type { Request } from './request.js';

/** The most statements that one UNION ALL joins. */
export const UNION_MAX = 32;
const sizes = [1, 2, 3, 4, 6, 8, 12, 16, 24, UNION_MAX];

/** The statements of all requests, joined by UNION ALL. */
export function unionBatch(
  root: StatementPlan,
  union: UnionStatement,
  requests: readonly Request[],
): Batch {
  const { groups, rows } = gather(root, union.arguments, requests);
  const size = sizes.find((each) => each >= rows.length) ?? rows.length;
  const last = rows.at(-1);
  invariant(last, 'a batch has requests');
  while (rows.length < size) rows.push(last);
  const [before, after] = union.pieces;
  const parts = rows.map((_, index) => `(${before}${index + 1}${after})`);
  const statement = joinStatements(parts.join(' UNION ALL '), rows);
  return { statement, groups, demultiplexer: byNumber(root) };
}

/** The table joined with the keys of all requests. */
export function joinedBatch(
  root: StatementPlan,
  joined: JoinedKeysStatement,
  requests: readonly Request[],
): Batch {
  const { groups, rows } = gather(root, [joined.key], requests);
  const size = 2 ** Math.ceil(Math.log2(rows.length));
  while (rows.length < size) rows.push({ ...noKey, text: root.text });
  const [before, after] = joined.pieces;
  const keys = rows.map((_, index) => ` UNION ALL SELECT ?, ${index + 1}`).join('');
  const [first] = requests;
  invariant(first, 'a batch has requests');
  const statement = joinStatements(before + keys + after, [
    statementOf(root, joined.before, first),
    ...rows,
    statementOf(root, joined.after, first),
  ]);
  return { statement, groups, demultiplexer: byNumber(root) };
}

const noKey = { parameters: [null], types: ['string'] } as const;

/** The arguments of the requests without duplicates, and the requests of each. */
function gather(root: StatementPlan, given: readonly Argument[], requests: readonly Request[]) {
  const groups = new Map<string, Request[]>();
  const rows: ParameterizedStatement[] = [];
  for (const request of requests) {
    const row = statementOf(root, given, request);
    if (addToGroup(groups, JSON.stringify(row.parameters), request)) rows.push(row);
  }
  return { groups: [...groups.values()], rows };
}

function statementOf(
  { dialect, text }: StatementPlan,
  given: readonly Argument[],
  { values }: Request,
) {
  return parameterizeStatement({ dialect, text, arguments: given }, values, []);
}

function joinStatements(text: string, parts: readonly ParameterizedStatement[]): Statement {
  return {
    text,
    parameters: parts.flatMap(({ parameters }) => parameters),
    types: parts.flatMap(({ types }) => types ?? []),
  };
}
