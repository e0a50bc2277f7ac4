/**
 * Reports the progress of an import or export on standard error: bytes, rows, their rate and the time left.
 */
import { RowCount } from './count-rows.js';

/** How often progress is reported. */
const REPORT_MS = 500;

export interface ProgressOptions {
  /** The size of the whole document; undefined if it is unknown. */
  readonly totalBytes: number | undefined;
  /** The end of the last line, which reports what happens after the last byte. */
  readonly ending?: string;
  /** Writes a line; on a terminal, each line replaces the previous one. */
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
}

/** Where a command reports progress: on a terminal, or on demand; undefined for nowhere. */
export function progressOutput(
  isDemanded: boolean,
): Pick<ProgressOptions, 'write' | 'isTerminal'> | undefined {
  const { isTTY: isTerminal } = process.stderr;
  if (!isTerminal && !isDemanded) return undefined;
  return { isTerminal, write: (text) => void process.stderr.write(text) };
}

/** Passes the document on, and reports how much of it has passed. */
export async function* withProgress(
  body: AsyncIterable<Uint8Array>,
  { totalBytes, ending = '', write, isTerminal }: ProgressOptions,
): AsyncGenerator<Uint8Array> {
  const count = new RowCount();
  const startedAt = performance.now();
  let reportedAt = startedAt;
  let bytes = 0;
  const report = (end: string) => {
    const seconds = (performance.now() - startedAt) / 1000;
    const text = `${progressText({ bytes, totalBytes, rows: count.rows, seconds })}${end}`;
    write(isTerminal ? `\r${text}\u001b[K` : `${text}\n`);
  };
  for await (const chunk of body) {
    yield chunk;
    count.take(chunk);
    bytes += chunk.byteLength;
    const now = performance.now();
    if (now - reportedAt < REPORT_MS) continue;
    reportedAt = now;
    report('');
  }
  report(ending);
  if (isTerminal) write('\n');
}

/** The progress after this many seconds. */
export interface Progress {
  readonly bytes: number;
  readonly totalBytes: number | undefined;
  readonly rows: number;
  readonly seconds: number;
}

/** `3,000,000 of 4,000,000 bytes (75 %), 30,000 rows, 10,000 rows/s, 1 s left` */
export function progressText({ bytes, totalBytes, rows, seconds }: Progress): string {
  const isKnown = totalBytes !== undefined;
  const share = totalBytes ? Math.floor((100 * bytes) / totalBytes) : 100;
  const isUnderway = isKnown && bytes > 0;
  const left = isUnderway ? (seconds * Math.max(0, totalBytes - bytes)) / bytes : undefined;
  return [
    isKnown
      ? `${whole(bytes)} of ${whole(totalBytes)} bytes (${share} %)`
      : `${whole(bytes)} bytes`,
    `${whole(rows)} rows`,
    ...(seconds > 0 ? [`${whole(rows / seconds)} rows/s`] : []),
    ...(left !== undefined && left > 0 ? [`${whole(Math.ceil(left))} s left`] : []),
  ].join(', ');
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
