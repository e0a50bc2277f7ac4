/** Measures how far the resident memory of a process grows. */
import { residentBytes } from '../measure/process-table.js';

const LOOK_MS = 20;

/**
 * Starts to watch. `stop` returns by how many bytes the memory exceeded its initial size at most.
 */
export function watchMemory(pid: number): { stop(): number } {
  const before = residentBytes(pid) ?? 0;
  let most = before;
  const look = () => {
    most = Math.max(most, residentBytes(pid) ?? 0);
  };
  const timer = setInterval(look, LOOK_MS);
  return {
    stop: () => {
      clearInterval(timer);
      look();
      return most - before;
    },
  };
}
