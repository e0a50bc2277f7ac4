/** Reports the progress of an import or export on standard error: bytes, their share and the time left. */

/** How often progress is reported. */
const REPORT_MS = 500;
/** The width of a terminal that does not tell it. */
const COLUMNS = 80;

export interface ProgressOptions {
  /** The size of the whole document; undefined if it is unknown. */
  readonly totalBytes: number | undefined;
  /** The end of the last line, which reports what happens after the last byte. */
  readonly ending?: string;
  readonly write: (text: string) => void;
  /** The width of the terminal, on which each line replaces the previous one; undefined elsewhere. */
  readonly columns: (() => number) | undefined;
}

/** Where a command reports progress: on a terminal, or on demand; undefined for nowhere. */
export function progressOutput(
  isDemanded: boolean,
): Pick<ProgressOptions, 'write' | 'columns'> | undefined {
  const { isTTY: isTerminal } = process.stderr;
  if (!isTerminal && !isDemanded) return undefined;
  const columns = isTerminal ? () => process.stderr.columns || COLUMNS : undefined;
  return { columns, write: (text) => void process.stderr.write(text) };
}

/** Passes the document on, and reports how much of it has passed. */
export async function* withProgress(
  body: AsyncIterable<Uint8Array>,
  { totalBytes, ending = '', write, columns }: ProgressOptions,
): AsyncGenerator<Uint8Array> {
  const startedAt = performance.now();
  let reportedAt = startedAt;
  let bytes = 0;
  const report = (end: string) => {
    const seconds = (performance.now() - startedAt) / 1000;
    const text = `${progressText({ bytes, totalBytes, seconds })}${end}`;
    // A line that wraps could not be replaced.
    write(columns ? `\r${text.slice(0, columns() - 1)}\u001b[K` : `${text}\n`);
  };
  for await (const chunk of body) {
    yield chunk;
    bytes += chunk.byteLength;
    const now = performance.now();
    if (now - reportedAt < REPORT_MS) continue;
    reportedAt = now;
    report('');
  }
  report(ending);
  if (columns) write('\n');
}

/** The progress after this many seconds. */
export interface Progress {
  readonly bytes: number;
  readonly totalBytes: number | undefined;
  readonly seconds: number;
}

/** `3,000,000 of 4,000,000 bytes (75 %), 1 s left` */
export function progressText({ bytes, totalBytes, seconds }: Progress): string {
  const isKnown = totalBytes !== undefined;
  const share = totalBytes ? Math.floor((100 * bytes) / totalBytes) : 100;
  const isUnderway = isKnown && bytes > 0;
  const left = isUnderway ? (seconds * Math.max(0, totalBytes - bytes)) / bytes : undefined;
  return [
    isKnown
      ? `${whole(bytes)} of ${whole(totalBytes)} bytes (${share} %)`
      : `${whole(bytes)} bytes`,
    ...(left !== undefined && left > 0 ? [`${whole(Math.ceil(left))} s left`] : []),
  ].join(', ');
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
