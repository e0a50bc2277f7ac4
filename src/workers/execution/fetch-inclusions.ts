/**
 * The children of a window of rows, level by level: one statement an inclusion for all parents
 * together, the statements of a level in one round trip. In what form rows are is the store's.
 */
import { type Inclusion, type Sentence, sentenceStatement } from '../../engine/index.js';
import type { Session, Statement } from '../sources/source.js';
import type { InclusionRun } from './query-run.js';

/** What is done with rows of one form. */
export interface RowStore<Rows, AnySession extends Session> {
  none(): Rows;
  count(rows: Rows): number;
  /** The distinct keys under which the children of these rows are asked for. */
  keys(inclusion: Inclusion, rows: Rows): readonly string[];
  fetch(
    session: AnySession,
    statements: readonly Statement[],
    rowsMax: number,
    last: boolean,
  ): Promise<readonly Rows[]>;
}

/** Rows of a sentence, and those of each of its inclusions in their order. */
export interface Parent<Rows> {
  readonly sentence: Sentence;
  readonly rows: Rows;
  readonly children: Child<Rows>[];
}

export interface Child<Rows> extends Parent<Rows> {
  readonly inclusion: Inclusion;
}

interface Wanted<Rows> {
  readonly inclusion: Inclusion;
  readonly keys: readonly string[];
  readonly parent: Parent<Rows>;
}

/** Fetches all that `rows` of the root include. `ended`: the root has no further rows. */
export async function fetchInclusions<Rows, AnySession extends Session>(
  run: InclusionRun<AnySession>,
  store: RowStore<Rows, AnySession>,
  rows: Rows,
  ended: boolean,
): Promise<Parent<Rows>> {
  const root: Parent<Rows> = { sentence: run.root, rows, children: [] };
  let level: readonly Parent<Rows>[] = [root];
  while (level.length > 0) level = await fetchLevel(run, store, level, ended);
  return root;
}

/** Fetches the children of a level; they are the next one. */
async function fetchLevel<Rows, AnySession extends Session>(
  run: InclusionRun<AnySession>,
  store: RowStore<Rows, AnySession>,
  parents: readonly Parent<Rows>[],
  ended: boolean,
): Promise<readonly Parent<Rows>[]> {
  const wanted = parents.flatMap((parent) => wantedBy(store, parent));
  const asked = wanted.filter(({ keys }) => keys.length > 0);
  const isLast =
    ended && asked.every(({ inclusion }) => inclusion.sentence.inclusions.length === 0);
  const found = new Map<Wanted<Rows>, Rows>();
  for (const [session, group] of bySession(run, asked)) {
    // Whoever else than the root's session is asked has nothing open: its round stands alone.
    const last = isLast || session !== run.sessionOf(run.root);
    const statements = group.map((one) => statementOf(run, one));
    const results = await store.fetch(session, statements, run.budget.rowsToAsk, last);
    for (const [index, one] of group.entries()) found.set(one, results[index] ?? store.none());
  }
  return wanted.map((one) => {
    const rows = found.get(one) ?? store.none();
    run.budget.take(store.count(rows));
    const { inclusion, parent } = one;
    const child: Child<Rows> = { inclusion, sentence: inclusion.sentence, rows, children: [] };
    parent.children.push(child);
    return child;
  });
}

function wantedBy<Rows>(store: RowStore<Rows, never>, parent: Parent<Rows>): Wanted<Rows>[] {
  return parent.sentence.inclusions.map((inclusion) => ({
    inclusion,
    keys: store.keys(inclusion, parent.rows),
    parent,
  }));
}

function bySession<Rows, AnySession extends Session>(
  run: InclusionRun<AnySession>,
  asked: readonly Wanted<Rows>[],
): Map<AnySession, Wanted<Rows>[]> {
  const groups = new Map<AnySession, Wanted<Rows>[]>();
  for (const one of asked) {
    const session = run.sessionOf(one.inclusion.sentence);
    const group = groups.get(session);
    if (group) group.push(one);
    else groups.set(session, [one]);
  }
  return groups;
}

function statementOf<Rows>(
  run: Pick<InclusionRun, 'values'>,
  { inclusion, keys }: Wanted<Rows>,
): Statement {
  const { sentence } = inclusion;
  return sentenceStatement(sentence, run.values, keys);
}
