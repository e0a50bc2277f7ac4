/** Starts programs, waits for them, and stops each by its pid, however the run ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';

const STOP_TIMEOUT_MS = 15_000;
/** How much of the end of a program's output is kept for messages. */
const TAIL_LENGTH = 4000;

const running = new Set<ChildProcess>();
let isEnding = false;

export interface ProcessOrder {
  readonly program: string;
  readonly words: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The exit codes that mean success; by default only 0. */
  readonly accepts?: readonly number[];
}

/** A program that runs until it is stopped. */
export interface RunningProcess {
  readonly pid: number;
  /** The end of its output so far. */
  tail(): string;
  readonly hasEnded: boolean;
  stop(): Promise<void>;
}

/** The output of a program that has ended. */
export interface FinishedProcess {
  readonly output: string;
  readonly errors: string;
}

/** Starts a server program. */
export async function startProcess(order: ProcessOrder): Promise<RunningProcess> {
  const child = launch(order);
  let tail = '';
  const keep = (text: string) => {
    tail = (tail + text).slice(-TAIL_LENGTH);
  };
  child.stdout?.setEncoding('utf8').on('data', keep);
  child.stderr?.setEncoding('utf8').on('data', keep);
  const pid = await launched(child, order);
  return {
    pid,
    tail: () => tail,
    get hasEnded() {
      return !running.has(child);
    },
    stop: () => stop(child),
  };
}

/**
 * Runs a program to its end, for at most `timeoutMs`. Throws if it fails. `watch` receives its pid.
 */
export async function runProcess(
  order: ProcessOrder,
  timeoutMs: number,
  watch: (pid: number) => void = () => undefined,
): Promise<FinishedProcess> {
  const child = launch(order);
  let output = '';
  let errors = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  watch(await launched(child, order));
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  await ended;
  clearTimeout(timer);
  if ((order.accepts ?? [0]).includes(child.exitCode ?? -1)) return { output, errors };
  const how = child.signalCode ?? `status ${child.exitCode}`;
  throw new Error(`${order.program} failed (${how}): ${(errors || output).slice(-TAIL_LENGTH)}`);
}

/**
 * Stops all running programs when the bench receives a signal; after that, no program can be
 * started.
 */
export function endProcessesOnSignals(cleanUp: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      isEnding = true;
      const stopped = [...running].map(stop);
      const end = () => process.exit(128 + constants.signals[signal]);
      void Promise.allSettled(stopped).then(cleanUp).then(end, end);
    });
  }
}

function launch({ program, words, environment = {} }: ProcessOrder): ChildProcess {
  if (isEnding) throw new Error('The bench is ending.');
  const child = spawn(program, words, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

function launched(child: ChildProcess, { program }: ProcessOrder): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(child.pid ?? 0));
    child.once('error', (cause) => {
      running.delete(child);
      reject(new Error(`${program} cannot be run: ${cause.message}`, { cause }));
    });
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}
