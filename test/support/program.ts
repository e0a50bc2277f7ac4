/**
 * Runs the whole program in a separate process: starts it, sends requests over HTTP, and stops it by
 * signals.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../dist/program/rowgate.js', import.meta.url));
const START_MS = 120_000;
const WAIT_MS = 60_000;
const POLL_MS = 10;

type Environment = Readonly<Record<string, string>>;

/** A line of the program's log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** A running program. */
export interface Program {
  readonly pid: number;
  readonly port: number;
  /** Its URL, without a slash at the end. */
  readonly base: string;
  /** The log so far. */
  readonly log: readonly LogLine[];
  signal(name: NodeJS.Signals): void;
  /** Resolves with the exit code when the program has ended; null if a signal killed it. */
  readonly ended: Promise<number | null>;
  /** How it has ended: its exit code, the signal, and its last errors. */
  end(): string;
  /** Sends SIGTERM, and waits for the end. */
  stop(): Promise<number | null>;
}

/** Starts `rowgate serve` on a free port. Rejects with its output if it ends instead. */
export async function startProgram(
  flags: readonly string[],
  environment: Environment = {},
): Promise<Program> {
  const child = spawnProgram(['serve', '--port', '0', ...flags], environment);
  const log: LogLine[] = [];
  let errors = '';
  child.stderr?.on('data', (bytes: Buffer) => (errors += bytes.toString()));
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  lines.on('line', (line) => log.push(JSON.parse(line)));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const end = () => `code ${child.exitCode}, signal ${child.signalCode}, ${errors.slice(-2000)}`;
  const isListening = () => log.find(({ event }) => event === 'listening');
  let isOver = false;
  void ended.then(() => (isOver = true));
  await until('the program listens', () => isOver || isListening(), START_MS).catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  const port = isListening()?.['port'];
  if (typeof port !== 'number') throw new Error(`The program ended: ${errors}`);
  return {
    pid: child.pid ?? 0,
    port,
    base: `http://127.0.0.1:${port}`,
    log,
    signal: (name) => child.kill(name),
    ended,
    end,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** The output of a command, and how it ended. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of `rowgate` to its end, with a standard input if one is given. */
export async function runCommand(
  words: readonly string[],
  environment: Environment = {},
  input?: string | Uint8Array,
): Promise<CommandResult> {
  const child = spawnProgram(words, environment, input === undefined ? 'ignore' : 'pipe');
  child.stdin?.end(input);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (bytes: Buffer) => (stdout += bytes.toString()));
  child.stderr?.on('data', (bytes: Buffer) => (stderr += bytes.toString()));
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

/** An answer of the program. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text parsed as JSON. */
  json(): unknown;
}

/** Where a gateway answers: a program, or one in this process. */
export type Served = Pick<Program, 'base'>;

/** Sends a GET request, or another one with `init`. */
export async function ask({ base }: Served, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(base + path, init);
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text, json: () => JSON.parse(text) };
}

/** Posts a body: a string unchanged, and anything else as JSON. */
export function post(
  program: Served,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return ask(program, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** The rows of a query. */
export async function rowsOf(program: Served, query: string, data?: unknown): Promise<unknown> {
  const answer = await post(program, '/execute', { query, data: JSON.stringify(data) });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer.json();
}

/** Waits until the result is truthy, and returns it. Rejects after a timeout. */
export async function until<Result>(
  what: string,
  holds: () => Result | Promise<Result>,
  waitMs = WAIT_MS,
): Promise<Result> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const result = await holds();
    if (result) return result;
    if (performance.now() > deadline) throw new Error(`Timed out before ${what}.`);
    await delay(POLL_MS);
  }
}

function spawnProgram(
  words: readonly string[],
  environment: Environment,
  input: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  const env = { PATH, HOME, ...(TMPDIR !== undefined && { TMPDIR }), ...environment };
  return spawn(process.execPath, [PROGRAM, ...words], {
    cwd: '/',
    env,
    stdio: [input, 'pipe', 'pipe'],
  });
}
