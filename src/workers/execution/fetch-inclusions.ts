/**
 * The children of a window of rows, level by level: one statement an inclusion for all parents
 * together, the statements of a level in one round trip.
 */
import {
  collectKeys,
  type FetchedRows,
  type Fields,
  groupChildren,
  type Inclusion,
  type Sentence,
  sentenceArguments,
} from '../../engine/index.js';
import type { Session } from '../sources/source.js';
import type { InclusionRun } from './query-run.js';

/** Rows of a sentence that wait for their children. */
interface Parent {
  readonly sentence: Sentence;
  readonly rows: readonly Fields[];
  readonly children: Child[];
}

interface Child extends Parent {
  readonly inclusion: Inclusion;
}

interface Wanted {
  readonly inclusion: Inclusion;
  readonly keys: readonly string[];
  readonly parent: Parent;
}

/** Fetches all that `rows` of the root include. `ended`: the root has no further rows. */
export async function fetchInclusions(
  run: InclusionRun,
  rows: readonly Fields[],
  ended: boolean,
): Promise<FetchedRows> {
  const root: Parent = { sentence: run.root, rows, children: [] };
  let level: readonly Parent[] = [root];
  while (level.length > 0) level = await fetchLevel(run, level, ended);
  return assemble(root);
}

/** Fetches the children of a level; they are the next one. */
async function fetchLevel(
  run: InclusionRun,
  parents: readonly Parent[],
  ended: boolean,
): Promise<readonly Parent[]> {
  const wanted = parents.flatMap(wantedBy);
  const asked = wanted.filter(({ keys }) => keys.length > 0);
  const isLast =
    ended && asked.every(({ inclusion }) => inclusion.sentence.inclusions.length === 0);
  const found = new Map<Wanted, readonly Fields[]>();
  for (const [session, group] of bySession(run, asked)) {
    // Whoever else than the root's session is asked has nothing open: its round stands alone.
    const last = isLast || session !== run.sessionOf(run.root);
    const results = await session.fetch(
      group.map((one) => statementOf(run, one)),
      run.budget.rowsToAsk,
      last,
    );
    for (const [index, one] of group.entries()) found.set(one, results[index] ?? []);
  }
  return wanted.map((one) => {
    const rows = found.get(one) ?? [];
    run.budget.take(rows.length);
    const { inclusion, parent } = one;
    const child: Child = { inclusion, sentence: inclusion.sentence, rows, children: [] };
    parent.children.push(child);
    return child;
  });
}

function wantedBy(parent: Parent): Wanted[] {
  return parent.sentence.inclusions.map((inclusion) => ({
    inclusion,
    keys: collectKeys(inclusion, parent.rows),
    parent,
  }));
}

function bySession(run: InclusionRun, asked: readonly Wanted[]): Map<Session, Wanted[]> {
  const groups = new Map<Session, Wanted[]>();
  for (const one of asked) {
    const session = run.sessionOf(one.inclusion.sentence);
    const group = groups.get(session);
    if (group) group.push(one);
    else groups.set(session, [one]);
  }
  return groups;
}

function statementOf(run: InclusionRun, { inclusion, keys }: Wanted) {
  const { sentence } = inclusion;
  return { text: sentence.text, parameters: sentenceArguments(sentence, run.values, keys) };
}

function assemble(parent: Parent): FetchedRows {
  const inclusions = parent.children.map((child) =>
    groupChildren(child.inclusion, assemble(child)),
  );
  return { rows: parent.rows, inclusions };
}
