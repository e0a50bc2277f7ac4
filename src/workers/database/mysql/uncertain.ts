/** Which errors leave open whether a commit took effect. */
import { DURING_COMMIT, isRolledBack, isSignal, KILLED, type ServerFault } from './errors.js';

/**
 * What ProxySQL, MaxScale and MySQL Router answer when they lose the server during a statement. ProxySQL also gives up
 * servers that an administrator has taken offline (9004), and those that lag (9005).
 */
const lost: ReadonlySet<number> = new Set([2006, 2013, 2014, 2026, 2027, 2055, 9004, 9005]);
/** No connection to the server: nothing was sent, unless MaxScale says that it has lost one. */
const unconnected: ReadonlySet<number> = new Set([2002, 2003]);

const UNKNOWN_COMMIT =
  'The database reported an error during the commit. It is not known whether the write took effect.';

/** Whether a write that failed at its commit may be stored: of statements that commit by themselves, too. */
export function isUncertain(fault: ServerFault): boolean {
  const { errno, message } = fault;
  if (isSignal(fault)) return false;
  if (errno === DURING_COMMIT) return !isRolledBack(fault);
  // MariaDB rolls back before it says so. MaxScale has the same number for a server that it has lost.
  if (errno === KILLED) return !message.startsWith('Connection was killed');
  return lost.has(errno) || (unconnected.has(errno) && /\blost\b/i.test(message));
}

/** The detail of `outcome-unknown`, unless it is the usual one. */
export function uncertainDetail({ errno }: ServerFault): string | undefined {
  return errno === DURING_COMMIT ? UNKNOWN_COMMIT : undefined;
}
