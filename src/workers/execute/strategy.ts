/**
 * How waiting requests of one plan can run as one statement. Some strategies need the types of the
 * plan's arguments, which only the database knows.
 */
import {
  type CompiledQuery,
  type BatchStatements,
  type DerivedTableStatement,
  type ParameterValues,
  parameterizeStatement,
} from '../../engine/index.js';
import type { LeaseOptions, ParameterTypes, Source } from '../database/source.js';
import type { Statement } from '../database/statement.js';
import { askBeside } from './late-answer.js';
import { UNION_MAX } from './union-batch.js';

/** One statement for several requests. */
export type Strategy =
  /** All requests have the same arguments. */
  | { readonly kind: 'same' }
  /** An IN-list of all keys. */
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
  /** The table, joined with the keys of all requests. */
  | {
      readonly kind: 'joined-keys';
      readonly joinedKeys: NonNullable<BatchStatements['joinedKeys']>;
    };

const integers = new Set(['smallint', 'integer', 'bigint']);
const texts = new Set(['text', 'character varying']);

/** Undefined if the plan's requests must run side by side. Rejects if that takes too long. */
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
  // A plan with an IN-list has one argument for each request.
  const keyType = inList && types[derivedTable.origins[0] ?? 0];
  if (inList && keyType !== undefined) {
    if (integers.has(keyType)) return { kind: 'in-list', inList, isInteger: true };
    const isExact = texts.has(keyType) && !hasLooseCollation;
    if (isExact) return { kind: 'in-list', inList, isInteger: false };
  }
  const text = derivedText(derivedTable, types);
  return text === undefined ? undefined : { kind: 'derived-table', derivedTable, text };
}

/** The statement with the types of its lists; undefined if a type is not a scalar. */
export function derivedText(
  { pieces, origins }: DerivedTableStatement,
  types: readonly string[],
): string | undefined {
  const listed = origins.map((origin) => types[origin]);
  if (listed.some((type) => type === undefined || type.endsWith('[]'))) return undefined;
  return interleave(pieces, listed);
}

/** Asks the database for the types of placeholders, which executes the statement with nulls. Rejects if that takes too long. */
export async function describeTypes(
  source: Source,
  statement: Statement,
  options?: Pick<LeaseOptions, 'mode'>,
): Promise<ParameterTypes | undefined> {
  const { describeParameters } = source.driver;
  if (!describeParameters) return undefined;
  return askBeside(source, (lease) => describeParameters(lease, statement), options);
}

/**
 * Chooses without asking the database, for MySQL and MariaDB. If a key is written differently in a
 * row and in a request, the row belongs to no request, and the requests run one by one. Texts are
 * compared by collation in the database.
 */
function strategyUnasked({ inList, joinedKeys, union }: BatchStatements): Strategy | undefined {
  if (inList?.type === 'integer') return { kind: 'in-list', inList, isInteger: true };
  if (joinedKeys) return { kind: 'joined-keys', joinedKeys };
  return union && { kind: 'union', union };
}

/** The most requests in one statement. */
export function requestsMax(strategy: Strategy): number {
  return strategy.kind === 'union' ? UNION_MAX : REQUESTS_MAX;
}

const REQUESTS_MAX = 512;

/** Names of types come from the database's catalog, already quoted. */
function interleave(pieces: readonly string[], types: readonly (string | undefined)[]): string {
  return pieces.map((piece, index) => piece + (types[index] ?? '')).join('');
}
