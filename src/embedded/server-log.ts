/**
 * The server's log: a file of limited size next to the cluster, with one predecessor, and its last
 * lines in memory for error messages. The server writes to a pipe that this process reads.
 */
import { appendFileSync, renameSync, statSync } from 'node:fs';

const LOG_BYTES_MAX = 1024 * 1024;
const TAIL_CHARACTERS_MAX = 2_000;

export interface ServerLog {
  write(text: string): void;
  /** The last lines, at most 2,000 characters. */
  tail(): string;
}

/** Opens the log at `file`, and appends to an existing one. */
export function openServerLog(file: string): ServerLog {
  let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  let tail = '';
  return {
    write(text) {
      tail = (tail + text).slice(-TAIL_CHARACTERS_MAX);
      try {
        if (size > LOG_BYTES_MAX) {
          size = 0;
          renameSync(file, `${file}.1`);
        }
        appendFileSync(file, text);
        size += Buffer.byteLength(text);
      } catch {
        // A full disk must not end this process: the text is lost, except for the last lines.
      }
    },
    tail: () => tail,
  };
}
