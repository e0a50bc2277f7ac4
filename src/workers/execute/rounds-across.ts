/**
 * The rounds of a write that touches several sources. Nothing is committed before all statements
 * have run; then the sources are committed one by one. Databases that know nothing of each other
 * cannot promise more: where a later commit fails, the error says what is stored and what is not.
 */
import type { Sentence } from '../../engine/index.js';
import { SourceError } from '../database/source-error.js';
import type { Statement, Written } from '../database/source.js';
import type { RunWrites } from './write-rows.js';

/** What is told of a source's part of the write. */
interface Part {
  readonly source: string;
  readonly run: RunWrites;
  /** Whose rows it has written. */
  readonly entities: Set<string>;
}

export interface AcrossOptions {
  /** The rounds of each source by its name. */
  readonly rounds: ReadonlyMap<string, RunWrites>;
  /** Called before the first commit, from which on nothing may stop the others. */
  readonly onCommit: () => void;
}

/** Rounds that go each to the source of their sentence. Commits follow the order of the writes. */
export function roundsAcross({ rounds, onCommit }: AcrossOptions): RunWrites {
  const parts = new Map<string, Part>();
  return async (statements, last, sentence) => {
    const written = await runIn(partOf(parts, rounds, sentence), statements, sentence);
    if (last) {
      onCommit();
      await commitAll([...parts.values()], sentence);
    }
    return written;
  };
}

function partOf(
  parts: Map<string, Part>,
  rounds: AcrossOptions['rounds'],
  { source }: Sentence,
): Part {
  const known = parts.get(source);
  if (known) return known;
  const run = rounds.get(source);
  if (!run) throw new SourceError('internal');
  const part = { source, run, entities: new Set<string>() };
  parts.set(source, part);
  return part;
}

async function runIn(
  { run, entities }: Part,
  statements: readonly Statement[],
  sentence: Sentence,
): Promise<readonly Written[]> {
  if (statements.length === 0) return [];
  entities.add(sentence.entity);
  return run(statements, false, sentence);
}

async function commitAll(parts: readonly Part[], sentence: Sentence): Promise<void> {
  for (const [index, part] of parts.entries()) {
    try {
      await part.run([], true, sentence);
    } catch (error) {
      throw index === 0 ? error : storedInPart(parts, index, error);
    }
  }
}

function storedInPart(parts: readonly Part[], failed: number, cause: unknown): SourceError {
  const isLost = cause instanceof SourceError && cause.code === 'source-unavailable';
  const rest = parts.slice(isLost ? failed + 1 : failed);
  const unknown = isLost ? parts.slice(failed, failed + 1) : [];
  const detail = [
    `Stored: ${parts.slice(0, failed).map(tell).join('; ')}.`,
    ...(unknown.length > 0 ? [`Not known to be stored: ${unknown.map(tell).join('; ')}.`] : []),
    ...(rest.length > 0 ? [`Not stored: ${rest.map(tell).join('; ')}.`] : []),
  ].join(' ');
  return new SourceError('stored-in-part', { detail, cause });
}

/** `source 'Crm' (Orders, Orders.details)` */
function tell({ source, entities }: Part): string {
  return `source '${source}' (${[...entities].join(', ')})`;
}
