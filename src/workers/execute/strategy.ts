/**
 * How requests of one plan that wait together can run as one statement. Some of it only the database
 * knows: the types of the plan's arguments.
 */
import {
  type CompiledQuery,
  type BatchStatements,
  type DerivedTableStatement,
  type ParameterValues,
  parameterizeStatement,
} from '../../engine/index.js';
import { createCancellation } from '../cancellation.js';
import type { ParameterTypes, Source } from '../database/source.js';
import type { Statement } from '../database/statement.js';
import { UNION_MAX } from './union-batch.js';

/** One statement for several requests. */
export type Strategy =
  /** All ask for the same. */
  | { readonly kind: 'same' }
  /** By the keys of all. */
  | {
      readonly kind: 'in-list';
      readonly inList: NonNullable<BatchStatements['inList']>;
      readonly isInteger: boolean;
    }
  /** The statement, once for each row of a derived table of arguments. */
  | {
      readonly kind: 'derived-table';
      readonly derivedTable: NonNullable<BatchStatements['derivedTable']>;
      readonly text: string;
    }
  | { readonly kind: 'union'; readonly union: NonNullable<BatchStatements['union']> }
  /** The table, joined with the keys of all. */
  | {
      readonly kind: 'joined-keys';
      readonly joinedKeys: NonNullable<BatchStatements['joinedKeys']>;
    };

const integers = new Set(['smallint', 'integer', 'bigint']);
const texts = new Set(['text', 'character varying']);

/** Finds the strategy of a plan; undefined: its requests run side by side. Rejects when that takes long. */
export async function findStrategy(
  source: Source,
  plan: CompiledQuery,
  values: ParameterValues,
): Promise<Strategy | undefined> {
  const { batch, root } = plan;
  if (!batch) return undefined;
  if (!batch.derivedTable) return strategyUnasked(batch);
  const { inList, derivedTable } = batch;
  const described = await describeTypes(source, parameterizeStatement(root, values, []));
  if (!described) return undefined;
  const { types, hasLooseCollation } = described;
  // A plan with a key has one argument of the request.
  const keyType = inList && types[derivedTable.origins[0] ?? 0];
  if (inList && keyType !== undefined) {
    if (integers.has(keyType)) return { kind: 'in-list', inList, isInteger: true };
    const isExact = texts.has(keyType) && !hasLooseCollation;
    if (isExact) return { kind: 'in-list', inList, isInteger: false };
  }
  const text = derivedText(derivedTable, types);
  return text === undefined ? undefined : { kind: 'derived-table', derivedTable, text };
}

/** The statement with the types of its lists; undefined where one of them is no scalar. */
export function derivedText(
  { pieces, origins }: DerivedTableStatement,
  types: readonly string[],
): string | undefined {
  const listed = origins.map((origin) => types[origin]);
  if (listed.some((type) => type === undefined || type.endsWith('[]'))) return undefined;
  return interleave(pieces, listed);
}

/** Asks the database for the types of placeholders. Rejects when that takes long. */
export async function describeTypes(
  source: Source,
  statement: Statement,
): Promise<ParameterTypes | undefined> {
  if (!source.describeParameters) return undefined;
  const cancellation = createCancellation();
  const timer = setTimeout(() => cancellation.cancel(), PATIENCE_MS);
  const lease = await source.lease(cancellation).finally(() => clearTimeout(timer));
  const late = setTimeout(() => lease.cancel(), PATIENCE_MS);
  try {
    return await source.describeParameters(lease, statement);
  } finally {
    clearTimeout(late);
    lease.release();
  }
}

/** The database may wait for a lock, in milliseconds; nobody is to wait for its answer then. */
const PATIENCE_MS = 200;

/**
 * MySQL and MariaDB are not asked: a row whose key is not written as a request has it belongs to
 * none, and has its batch run one by one. Texts are equal by collations, which only the database knows.
 */
function strategyUnasked({ inList, joinedKeys, union }: BatchStatements): Strategy | undefined {
  if (inList?.type === 'integer') return { kind: 'in-list', inList, isInteger: true };
  if (joinedKeys) return { kind: 'joined-keys', joinedKeys };
  return union && { kind: 'union', union };
}

/** Requests that one statement serves at most. */
export function requestsMax(strategy: Strategy): number {
  return strategy.kind === 'union' ? UNION_MAX : REQUESTS_MAX;
}

const REQUESTS_MAX = 512;

/** Names of types come from the catalog of the database, quoted where that is needed. */
function interleave(pieces: readonly string[], types: readonly (string | undefined)[]): string {
  return pieces.map((piece, index) => piece + (types[index] ?? '')).join('');
}
