/**
 * The children of rows, level by level: one statement an include for all parents together, the
 * statements of a level in one round trip.
 */
import {
  collectByteKeys,
  demultiplexChildren,
  type FetchedBytes,
  type Include,
  type ParameterValues,
  RowBytes,
  type Sentence,
  sentenceStatement,
} from '../../engine/index.js';
import { decodeText } from '../decode-text.js';
import type { Statement } from '../database/statement.js';
import type { RowBudget } from './row-budget.js';

/** How the children of a level are fetched. */
export interface ChildReader {
  readonly values: ParameterValues;
  readonly budget: RowBudget;
  /** Runs statements of these sentences and keeps their rows; asks for at most `rowsMax` of each (0: all). */
  fetch(
    statements: readonly Statement[],
    sentences: readonly Sentence[],
    rowsMax: number,
  ): Promise<readonly RowBytes[]>;
}

interface Parent {
  readonly sentence: Sentence;
  readonly rows: RowBytes;
  readonly children: Child[];
}

interface Child extends Parent {
  readonly include: Include;
}

/** An include whose rows are asked for. */
interface Asked {
  readonly include: Include;
  readonly keys: readonly string[];
  readonly parent: Parent;
}

/** Fetches all that these rows of a sentence include, and deals it out to them. */
export async function fetchIncludes(
  reader: ChildReader,
  sentence: Sentence,
  rows: RowBytes,
): Promise<FetchedBytes> {
  const root: Parent = { sentence, rows, children: [] };
  let level: readonly Parent[] = [root];
  while (level.length > 0) level = await fetchLevel(reader, level);
  return demultiplexed(root);
}

/** Fetches the children of a level; they are the next one. */
async function fetchLevel(
  reader: ChildReader,
  parents: readonly Parent[],
): Promise<readonly Parent[]> {
  const wanted = parents.flatMap(includesOf);
  const asked = wanted.filter(({ keys }) => keys.length > 0);
  const sentences = asked.map(({ include }) => include.sentence);
  const statements = asked.map(({ include, keys }) =>
    sentenceStatement(include.sentence, reader.values, keys),
  );
  const results =
    asked.length === 0 ? [] : await reader.fetch(statements, sentences, reader.budget.rowsToAsk);
  return wanted.map((one) => {
    const rows = results[asked.indexOf(one)] ?? new RowBytes();
    reader.budget.take(rows.length);
    const { include, parent } = one;
    const child: Child = { include, sentence: include.sentence, rows, children: [] };
    parent.children.push(child);
    return child;
  });
}

function includesOf(parent: Parent): Asked[] {
  return parent.sentence.includes.map((include) => ({
    include,
    keys: collectByteKeys(include, parent.rows, decodeText),
    parent,
  }));
}

/** The tree that was fetched, its children dealt out to their parents. */
function demultiplexed({ rows, children }: Parent): FetchedBytes {
  const includes = children.map((child) =>
    demultiplexChildren(child.include, rows, demultiplexed(child), decodeText),
  );
  return { rows, includes };
}
