/**
 * The server's log: a file of bounded size beside the cluster, with one predecessor, and the last
 * lines in memory for messages. The server writes to a pipe that we read.
 */
import { appendFileSync, renameSync, statSync } from 'node:fs';

const LOG_BYTES_MAX = 1024 * 1024;
const TAIL_CHARACTERS_MAX = 2_000;

/** Takes what the server writes. */
export interface ServerLog {
  write(text: string): void;
  /** The last lines, at most 2,000 characters. */
  tail(): string;
}

/** Opens the log at `file`; what is there is added to. */
export function openServerLog(file: string): ServerLog {
  let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  let tail = '';
  return {
    write(text) {
      tail = (tail + text).slice(-TAIL_CHARACTERS_MAX);
      if (size > LOG_BYTES_MAX) {
        renameSync(file, `${file}.1`);
        size = 0;
      }
      appendFileSync(file, text);
      size += Buffer.byteLength(text);
    },
    tail: () => tail,
  };
}
