/**
 * A write to several sources. All statements run before the first commit, then the sources are
 * committed one by one. Independent databases cannot guarantee more: if a commit fails, the error
 * says what is stored and what is not.
 */
import type { StatementPlan } from '../../engine/index.js';
import type { Lease } from '../database/lease.js';
import { SourceError } from '../database/source-error.js';
import type { Written } from '../database/statement.js';
import { leaseOf, type Leases } from './with-leases.js';
import type { RunWrites } from './write-rows.js';

/** What is written into one source. */
interface Part {
  readonly source: string;
  readonly lease: Lease;
  readonly entities: Set<string>;
}

export interface AcrossOptions {
  readonly leases: Leases;
  /** Called before the first commit; after that, a cancellation must not stop the others. */
  readonly onCommit: () => void;
}

/** Runs each statement on its source. Sources are committed in the order of the writes. */
export function runAcross({ leases, onCommit }: AcrossOptions): RunWrites {
  const parts = new Map<string, Part>();
  return async (statements, last, statement, guard) => {
    let written: readonly Written[] = [];
    if (statements.length > 0) {
      const { lease, entities } = partOf(parts, leases, statement);
      entities.add(statement.entity);
      written = await lease.write(guard ? [...statements, guard] : statements, false);
    }
    if (last) {
      onCommit();
      await commitAll([...parts.values()], (each) => each.write([], true));
    }
    return written;
  };
}

function partOf(parts: Map<string, Part>, leases: Leases, { source }: StatementPlan): Part {
  const known = parts.get(source);
  if (known) return known;
  const part = { source, lease: leaseOf(leases, source), entities: new Set<string>() };
  parts.set(source, part);
  return part;
}

/** Commits one source after another. Rejects with an error that says what is stored, if anything is. */
export async function commitAll(
  parts: readonly Part[],
  commit: (lease: Lease) => Promise<unknown>,
): Promise<void> {
  for (const [index, { lease }] of parts.entries()) {
    try {
      await commit(lease);
    } catch (error) {
      throw storedInPart(parts, index, error);
    }
  }
}

/** The error after a failed commit, which says what is stored. */
function storedInPart(parts: readonly Part[], failed: number, cause: unknown): unknown {
  const isUnknown = cause instanceof SourceError && cause.code === 'outcome-unknown';
  if (failed === 0 && !isUnknown) return cause;
  const end = isUnknown ? failed + 1 : failed;
  const detail = [
    ...describeParts('Stored', parts.slice(0, failed)),
    ...describeParts('Not known to be stored', parts.slice(failed, end)),
    ...describeParts('Not stored', parts.slice(end)),
  ].join(' ');
  return new SourceError(failed === 0 ? 'outcome-unknown' : 'stored-in-part', { detail, cause });
}

/** `Stored: source 'Crm' (Orders, Orders.details).` */
function describeParts(what: string, parts: readonly Part[]): readonly string[] {
  if (parts.length === 0) return [];
  const names = parts.map(
    ({ source, entities }) => `source '${source}' (${[...entities].join(', ')})`,
  );
  return [`${what}: ${names.join('; ')}.`];
}
