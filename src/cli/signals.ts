/** The signals that `rowgate serve` takes from its start on: to end, and to reload. */
import { isatty } from 'node:tty';
import type { Environment } from '../engine/index.js';

const PARENT_POLL_MS = 250;
/** How long a step of the start, such as a connection to a silent database, may delay the end. */
const START_END_MS = 3000;

export interface Signals {
  /** Resolves at the first SIGTERM or SIGINT, or when the terminal is lost. Later ones have no effect. */
  readonly ended: Promise<void>;
  /** Whether the program is to end. */
  readonly isEnding: () => boolean;
  /** Calls `reload` at each SIGHUP from now on, and at once if there has been one. */
  readonly onReload: (reload: () => void) => void;
  /** The start is over, or was given up: from now on, the end may take as long as it needs. */
  readonly started: () => void;
}

/**
 * Takes the signals. One that nobody has taken would end the program without a trace or, in a container, where the
 * program is process 1, be lost. `npx` starts the program through a shell that ends at a signal without passing it
 * on, so the end of the shell counts as one.
 */
export function catchSignals({ npm_command: ofNpm }: Environment): Signals {
  let isEnding = false;
  let isStarting = true;
  let isReloadDue = false;
  let reload = (): void => void (isReloadDue = true);
  let resolveEnded = (): void => undefined;
  const ended = new Promise<void>((resolve) => (resolveEnded = resolve));
  const end = (): void => {
    if (isStarting && !isEnding) setTimeout(endStart, START_END_MS).unref();
    isEnding = true;
    resolveEnded();
  };
  // The embedded database ends with this process.
  const endStart = (): void => void (isStarting && process.exit(0));
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.on('SIGHUP', () => {
    if (hasLostTerminal()) end();
    else reload();
  });
  const parent = process.ppid;
  if (ofNpm !== undefined) {
    setInterval(() => process.ppid !== parent && end(), PARENT_POLL_MS).unref();
  }
  return {
    ended,
    isEnding: () => isEnding,
    onReload: (work) => {
      reload = work;
      if (isReloadDue) work();
    },
    started: () => void (isStarting = false),
  };
}

/** Whether the terminal of the program was closed, which also sends SIGHUP. */
function hasLostTerminal(): boolean {
  return process.stdout.isTTY && !isatty(process.stdout.fd);
}
