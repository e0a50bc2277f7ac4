/** Reduces a failure: the query, its data, then the rows and the domain. */
import { type Data, type DataObject, isDataObject } from '../evaluate/data.js';
import type { Question } from '../judge/judge.js';
import { smallerQueries } from './candidates.js';

/** Whether a candidate still fails in the same way. */
export type Fails<Case> = (candidate: Case) => Promise<boolean>;

const QUERY_TRIALS = 2500;
const DATA_TRIALS = 100;

/** The smallest question that fails. All candidates are sent alone. */
export async function reduceQuestion(
  question: Question,
  fails: Fails<Question>,
  trialsMax = QUERY_TRIALS,
): Promise<Question> {
  const text = await reduceBy(question.text, smallerTexts, trialsMax, (each) =>
    fails({ ...question, text: each }),
  );
  const data = await reduceBy(question.data, smallerData, DATA_TRIALS, (each) =>
    fails({ text, data: each }),
  );
  return { text, data };
}

/** Without texts that do not parse. */
function smallerTexts(text: string): readonly string[] {
  try {
    return smallerQueries(text);
  } catch {
    return [];
  }
}

/** Takes the first smaller candidate that still fails and repeats from there, until there is none. */
async function reduceBy<Case>(
  start: Case,
  smaller: (from: Case) => readonly Case[],
  trialsMax: number,
  fails: Fails<Case>,
): Promise<Case> {
  let [best, trials] = [start, 0];
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of smaller(best)) {
      if (trials >= trialsMax) return best;
      trials += 1;
      if (!(await fails(candidate))) continue;
      best = candidate;
      isSmaller = true;
      break;
    }
  }
  return best;
}

/** Data with omitted members, and with halved and shortened lists. */
function smallerData(data: Data): readonly Data[] {
  if (Array.isArray(data)) return smallerLists(data);
  if (!isDataObject(data)) return [];
  return Object.entries(data).flatMap(([name, value]) => [
    without(data, name),
    ...smallerData(value).map((each) => ({ ...data, [name]: each })),
  ]);
}

function smallerLists(list: readonly Data[]): readonly Data[] {
  if (list.length === 0) return [];
  const half = list.length >> 1;
  const halves = half > 0 ? [list.slice(0, half), list.slice(half)] : [[]];
  return [...halves, ...list.map((_, out) => list.filter((__, index) => index !== out))];
}

function without(data: DataObject, name: string): DataObject {
  return Object.fromEntries(Object.entries(data).filter(([each]) => each !== name));
}

const ROW_TRIALS = 120;

/** The shortest lists that still fail: halves are removed first, then single items. */
export async function reduceLists<Item>(
  lists: ReadonlyMap<string, readonly Item[]>,
  fails: Fails<ReadonlyMap<string, readonly Item[]>>,
): Promise<ReadonlyMap<string, readonly Item[]>> {
  let [best, trials] = [lists, 0];
  const tried = async (name: string, items: readonly Item[]): Promise<boolean> => {
    trials += 1;
    const candidate = new Map(best).set(name, items);
    if (trials > ROW_TRIALS || !(await fails(candidate))) return false;
    best = candidate;
    return true;
  };
  // Referring entities come after those that they refer to, so their rows are removed first.
  for (const name of [...lists.keys()].toReversed()) {
    for (let size = best.get(name)?.length ?? 0; size >= 1; size = size >> 1) {
      for (let at = 0; at < (best.get(name)?.length ?? 0); ) {
        const items = best.get(name) ?? [];
        const isGone = await tried(name, [...items.slice(0, at), ...items.slice(at + size)]);
        if (!isGone) at += size;
      }
    }
  }
  return best;
}
