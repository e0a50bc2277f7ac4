/** A gateway that is started again whenever it is killed, on the same port. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../support/free-port.js';
import { loadedServers } from '../../support/http-servers.js';
import { ask, type LogLine, type Program, startProgram, until } from '../../support/program.js';

/** Ends a worker at SIGUSR2. */
const HOOK = fileURLToPath(new URL('../../crash/end-worker.cjs', import.meta.url));
const START_MS = 60_000;

export interface SupervisedGateway {
  readonly port: number;
  /** The gateway that is running, or that is about to be replaced. */
  readonly current: Program;
  /** How often it has been started. */
  readonly starts: number;
  /** Kills it, and waits until its successor listens. */
  kill(): Promise<void>;
  /** Whether it has ended although nobody stopped or killed it. */
  readonly hasFailed: boolean;
  /** Lines of all logs that tell a fault of the program itself, and how it ended if nobody stopped it. */
  faults(): readonly string[];
  stop(): Promise<number | null>;
}

/** Starts the gateway on the first or the second HTTP server; its successors use them in turn. */
export async function superviseGateway(
  flags: readonly string[],
  first: 0 | 1 = 0,
): Promise<SupervisedGateway> {
  const port = await freePort();
  const servers = loadedServers();
  const faults: string[] = [];
  let starts = 0;
  let isEnding = false;
  let hasFailed = false;
  const start = async (): Promise<Program> => {
    const server = servers[(first + starts++) % servers.length] ?? 'node';
    const words = ['--port', String(port), '--http-server', server, ...flags];
    const program = await startProgram(words, { NODE_OPTIONS: `--require=${HOOK}` });
    isEnding = false;
    void program.ended.then(() => {
      if (isEnding) return;
      hasFailed = true;
      faults.push(`The gateway has ended: ${program.end()}`);
    });
    return program;
  };
  let current = await start();
  const takeLog = ({ log }: Program) => {
    faults.push(...log.filter(isFault).map((line) => JSON.stringify(line)));
  };
  return {
    port,
    get current() {
      return current;
    },
    get starts() {
      return starts;
    },
    get hasFailed() {
      return hasFailed;
    },
    kill: async () => {
      isEnding = true;
      current.signal('SIGKILL');
      await current.ended;
      takeLog(current);
      // As a service manager does, it tries again if a start fails.
      await until('the gateway starts', () => start().then((next) => (current = next)), START_MS);
    },
    faults: () => faults,
    stop: async () => {
      isEnding = true;
      const code = await current.stop();
      takeLog(current);
      return code;
    },
  };
}

/** Requests without an answer in time, and errors that no crash explains. */
function isFault({ event, code }: LogLine): boolean {
  return event === 'overdue' || code === 'internal' || code === 'schema-mismatch';
}

/** The value of a metric. */
export async function metricOf(program: Program, name: string): Promise<number> {
  const { text } = await ask(program, '/metrics');
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** Open files and sockets of a process; 0 if it has ended, or the system does not tell. */
export function handlesOf({ pid }: Program): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}
