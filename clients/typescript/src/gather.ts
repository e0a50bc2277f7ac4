/**
 * Combines the requests of one event-loop iteration into one request, which is answered line by line.
 */
import { ConnectionError, type Problem, ProblemError } from './errors.js';
import { parseAnswer, withPlainNumbers } from './json.js';
import type { CallOptions, ClientOptions } from './options.js';
import { readLines } from './read-lines.js';
import { type Limit, problemIn, type Repetition, repeat, sendOnce } from './send.js';

export interface Gathered extends Repetition {
  /** The JSON of the request, which becomes an element of a list. */
  readonly body: string;
}

/** Resolves to the parsed answer of one query. */
export type Gather = (one: Gathered, call: CallOptions) => Promise<unknown>;

interface Waiting {
  readonly body: string;
  readonly limit: Limit;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The most queries of one request, unless the gateway accepts fewer. */
const STEPS_MAX = 1000;
/** The most characters of several queries. The gateway accepts 1 MiB besides the data, and 16 MiB with it. */
const CHARACTERS_MAX = 512 * 1024;
/** A line has no headers: the gateway's `Retry-After` for a refused request, in seconds. */
const RETRY_AFTER = 1;

export function createGather(client: ClientOptions, isExact: boolean): Gather {
  const waiting: Waiting[] = [];
  let stepsMax = STEPS_MAX;
  let characters = 0;
  const flush = () => {
    const group = waiting.splice(0);
    characters = 0;
    if (group.length > 0) void sendGroup(group);
  };
  const enqueue = (body: string, limit: Limit) =>
    new Promise<unknown>((resolve, reject) => {
      // A call that is longer itself is sent alone.
      if (characters + body.length > CHARACTERS_MAX) flush();
      // A timer, because answers may cause further requests in the same iteration.
      if (waiting.length === 0) setTimeout(flush);
      waiting.push({ body, limit, resolve, reject });
      characters += body.length;
      limit.signal.addEventListener('abort', () => reject(limit.signal.reason as Error));
      if (waiting.length >= stepsMax) flush();
    });
  return (one, call) => repeat(client, call, one, () => enqueue(one.body, one.limit));

  async function sendGroup(all: readonly Waiting[]): Promise<void> {
    const group = all.filter(({ limit }) => !limit.signal.aborted);
    if (group.length === 0) return;
    const open = new Map(group.map((each, index) => [index, each]));
    const whole = new AbortController();
    const stopIfLeft = () => {
      const left = [...open.values()];
      if (left.length > 0 && left.every(({ limit }) => limit.signal.aborted)) whole.abort();
    };
    for (const { limit } of group) limit.signal.addEventListener('abort', stopIfLeft);
    try {
      for await (const line of linesOf(group, whole.signal)) {
        answerOne(line, open);
        stopIfLeft();
      }
      throw new ConnectionError('The answer ended before all queries were answered.');
    } catch (error) {
      const left = [...open.values()];
      if (left.length > 1 && isTooMany(error)) await sendHalves(left);
      else for (const { reject } of left) reject(error);
    }
    for (const { limit } of group) limit.signal.removeEventListener('abort', stopIfLeft);
  }

  async function sendHalves(group: readonly Waiting[]): Promise<void> {
    const half = Math.ceil(group.length / 2);
    stepsMax = Math.min(stepsMax, half);
    await Promise.all([sendGroup(group.slice(0, half)), sendGroup(group.slice(half))]);
  }

  async function* linesOf(group: readonly Waiting[], signal: AbortSignal): AsyncGenerator<string> {
    const body = `[${group.map((each) => each.body).join(',')}]`;
    const sending = { path: 'execute', accept: 'application/x-ndjson', body };
    const response = await sendOnce(client, {}, sending, signal);
    if (response.body) yield* readLines(response.body);
  }

  function answerOne(line: string, open: Map<number, Waiting>): void {
    const { index, result, problem } = readLine(line);
    const each = open.get(index);
    open.delete(index);
    if (problem) each?.reject(new ProblemError(problem, retryAfterOf(problem)));
    else each?.resolve(result);
  }

  function readLine(line: string) {
    const parsed = parseAnswer(line, isExact);
    const found: { index?: unknown; result?: unknown; problem?: unknown } =
      typeof parsed === 'object' && parsed !== null ? parsed : {};
    const { index, result, problem } = found;
    return {
      index: Number(withPlainNumbers(index)),
      result,
      problem: problemIn(withPlainNumbers(problem)),
    };
  }
}

/** Whether the gateway accepts fewer queries in a request, of which it then executes none. */
function isTooMany(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'too-many-queries';
}

function retryAfterOf({ status, code }: Problem): number | undefined {
  const isPassing = status === 429 || (status === 503 && code !== 'outcome-unknown');
  return isPassing ? RETRY_AFTER : undefined;
}
