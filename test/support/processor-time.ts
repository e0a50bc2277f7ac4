/** The processor time of other processes, which does not depend on what else the machine does. */
import { readFileSync } from 'node:fs';

/** The unit of /proc on Linux, in milliseconds. */
const TICK_MS = 10;

/** The processor time that all threads of a process have used, in milliseconds. Linux only. */
export function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')')).split(' ');
  const [user = 0, system = 0] = fields.slice(12, 14).map(Number);
  return (user + system) * TICK_MS;
}
