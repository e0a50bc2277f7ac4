/** Runs the embedded database in a separate Node process, which tests may kill. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const repository = fileURLToPath(new URL('../../', import.meta.url));

/** What the process reports when its database runs, or why it failed. */
export interface Report {
  readonly uid?: number;
  readonly host?: string;
  readonly dataDirectory?: string;
  readonly stoppedOrphan?: number;
  readonly code?: string;
  readonly message?: string;
}

export interface OwnProcess {
  readonly child: ChildProcess;
  readonly report: Report;
  /** Stops the database properly, and waits for the end of the process. */
  readonly stop: () => Promise<void>;
  /** Kills the process with SIGKILL. */
  readonly kill: () => Promise<void>;
}

/** Where the process runs, and as which user. `modules` is the folder of the built modules. */
export interface OwnProcessOptions {
  readonly dataDirectory: string;
  readonly uid?: number;
  readonly modules?: string;
  readonly temporaryDirectory?: string;
}

const SCRIPT = `
const [modules, dataDirectory] = process.argv.slice(1);
const { startEmbedded } = await import(modules);
try {
  const database = await startEmbedded({ dataDirectory });
  const { connection, stoppedOrphan } = database;
  console.log(JSON.stringify({
    uid: process.getuid(), host: connection.host, dataDirectory: database.dataDirectory, stoppedOrphan,
  }));
  process.stdin.on('end', () => database.stop()).resume();
} catch (error) {
  console.log(JSON.stringify({ code: error.code, message: error.message }));
}
`;

/** Builds the modules that the processes import. This is fast if nothing has changed. */
export function buildEmbedded(): void {
  const compiler = `${repository}node_modules/typescript/bin/tsc`;
  execFileSync(process.execPath, [compiler, '-b', 'src/embedded'], { cwd: repository });
}

/** Starts a process, and waits for its report. */
export async function startInOwnProcess(options: OwnProcessOptions): Promise<OwnProcess> {
  const modules = options.modules ?? `${repository}dist/embedded`;
  const entry = pathToFileURL(`${modules}/start-embedded.js`).href;
  const words = ['--input-type=module', '-e', SCRIPT, entry, options.dataDirectory];
  const child = spawn(process.execPath, words, {
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
    env: {
      ...process.env,
      ...(options.temporaryDirectory !== undefined && { TMPDIR: options.temporaryDirectory }),
    },
  });
  const ended = once(child, 'exit');
  const report = await firstLine(child);
  return {
    child,
    report,
    stop: async () => {
      child.stdin?.end();
      await ended;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function firstLine(child: ChildProcess): Promise<Report> {
  if (child.stdout === null) throw new Error('The process has no output.');
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line);
  throw new Error('The process ended without a report.');
}
