/** Executes the query, and receives its rows as they arrive. */
import { signal } from '@preact/signals';
import { writingClauses } from '../editor/clauses.js';
import { open } from '../gateway/ask.js';
import { isProblem, type Problem, Refused, unanswered } from '../gateway/problem.js';
import { readTiming, type TimingPart } from '../gateway/server-timing.js';
import { parseExact } from '../rows/exact-json.js';
import { dropOldValues } from './check.js';
import { remember } from './history.js';
import { readLines } from './read-lines.js';
import { current, data, requested } from './state.js';

/** More rows are read only on demand, because a browser cannot hold every table. */
const ROWS_AT_FIRST = 10_000;
/** How often new rows are shown while they arrive. */
const SHOW_MS = 200;

const writing = [...writingClauses.map(({ name }) => name), 'merge', 'bulkMerge', 'push', 'remove'];
/** Matches a query that may write: it is not sent again. */
const WRITES = new RegExp(`\\.\\s*(?:${writing.join('|')})\\s*\\(`);

export interface Run {
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  /** The rows so far, or the single number that a write answers. The list grows while rows arrive. */
  readonly rows: readonly unknown[];
  readonly problem?: Problem;
  /** From the request to the last row, in milliseconds. */
  readonly totalMs?: number;
  readonly timing: readonly TimingPart[];
  /** Whether rows were left out. */
  readonly isCut: boolean;
  /** The request, if sending it again changes nothing. */
  readonly repeatable?: typeof requested.value;
}

/** The last run; undefined before the first one. */
export const run = signal<Run | undefined>(undefined);

let running: AbortController | undefined;

/** Stops the run. The gateway cancels its statement. */
export function stopQuery(): void {
  running?.abort();
}

/** Executes a query, the current one by default, and reads at most `rowsMax` rows. */
export async function runQuery(
  rowsMax = ROWS_AT_FIRST,
  repeated?: Run['repeatable'],
): Promise<void> {
  stopQuery();
  const stopped = new AbortController();
  running = stopped;
  const startedAt = performance.now();
  const since = () => performance.now() - startedAt;
  const begun: Run = { state: 'running', rows: [], timing: [], isCut: false };
  run.value = begun;
  const show = (next: Run) => {
    if (running === stopped) run.value = next;
  };
  dropOldValues();
  remember(current.value);
  if (data.value === undefined) {
    show({ ...begun, state: 'failed', problem: NOT_JSON });
    return;
  }
  const body = repeated ?? requested.value;
  let showing: ReturnType<typeof setTimeout> | undefined;
  const showReached = () => {
    showing = undefined;
    show(reached);
  };
  let reached: Run = WRITES.test(body.query) ? begun : { ...begun, repeatable: body };
  try {
    const question = {
      body,
      accept: 'application/x-ndjson',
      signal: stopped.signal,
    };
    const response = await open('execute?timing=true', question);
    const timing = readTiming(response.headers.get('server-timing'));
    reached = { ...reached, timing };
    const rows: unknown[] = [];
    let isCut = false;
    for await (const lines of readLines(response)) {
      const isFirst = rows.length === 0;
      const room = rowsMax - rows.length;
      rows.push(...lines.slice(0, room).map(parseExact));
      isCut = lines.length > room;
      reached = { ...reached, rows, totalMs: since(), isCut };
      if (isCut) break;
      showing ??= setTimeout(showReached, isFirst ? 0 : SHOW_MS);
    }
    show(finished({ ...reached, totalMs: since() }, rows));
    if (isCut) stopped.abort();
  } catch (error) {
    if (stopped.signal.aborted) show({ ...reached, state: 'stopped', totalMs: since() });
    else {
      const problem = error instanceof Refused ? error.problem : unanswered(error);
      show({ ...reached, state: 'failed', problem, totalMs: since() });
    }
  } finally {
    clearTimeout(showing);
  }
}

const NOT_JSON: Problem = {
  status: 400,
  title: 'The data is malformed',
  detail: 'The data is not JSON.',
  code: 'data-malformed',
};

/** After an error, the last line is that error, which is removed from the rows. */
function finished(reached: Run, rows: unknown[]): Run {
  const last = rows.at(-1);
  const isObject =
    typeof last === 'object' && last !== null && Object.keys(last).join() === 'error';
  const problem = isObject && 'error' in last ? last.error : undefined;
  if (!isProblem(problem) || !('requestId' in problem)) return { ...reached, state: 'done' };
  rows.pop();
  return { ...reached, state: 'failed', problem };
}
