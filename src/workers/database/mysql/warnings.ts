/**
 * Finds reads whose values are wrong. A read does not fail if a number does not fit a decimal, or a
 * text does not fit a packet: the server returns its greatest decimal or null, and counts a warning. It
 * can be asked for the warning only directly after the statement, so the read runs again. Writes fail
 * by themselves (STRICT_ALL_TABLES).
 */
import { SourceError } from '../source-error.js';
import { fieldsOf, noRows, type Run, type Statement, type Step } from '../statement.js';
import { mysqlError, ServerFault } from './errors.js';

/** A decimal or a double that is out of range for its cast, and a string that is longer than a packet. */
const wrongValues: ReadonlySet<number> = new Set([1264, 1916, 1301]);

/** MySQL does not prepare it. */
const SHOW_WARNINGS: Statement = { text: 'SHOW WARNINGS', parameters: [], isCommand: true };

/** The most warnings that the server can list; it counts no further in its answers. */
export const WARNINGS_MAX = 65_535;

/** Whether a statement can run again without any effect. */
export function isRead(text: string): boolean {
  return /^\(?SELECT\b/.test(text);
}

/** A run that repeats reads, and fails if the server warns of a wrong value. */
export function inquiryAbout(reads: readonly Step[], end: Run['end']): Run {
  let fault: SourceError | undefined;
  let expected = 0;
  const readSink: Step['sink'] = {
    ...noRows,
    complete(_count, _hasMore, warnings = 0) {
      expected = warnings;
    },
  };
  const sink: Step['sink'] = {
    complete(count) {
      const isWhole = count >= expected && expected < WARNINGS_MAX;
      if (!isWhole) fault ??= new SourceError('evaluation-failed', { detail: TOO_MANY });
    },
    row(bytes, start) {
      const [, errno, message] = fieldsOf(bytes, start);
      if (!wrongValues.has(Number(errno))) return;
      fault ??= mysqlError(new ServerFault(Number(errno), 'HY000', message ?? ''));
    },
  };
  const steps = reads.flatMap(({ statement }): Step[] => [
    { statement, rowsMax: 0, sink: readSink },
    { statement: SHOW_WARNINGS, rowsMax: 0, sink },
  ]);
  return { steps, end: (error, serviceMs) => end(error ?? fault, serviceMs) };
}

const TOO_MANY =
  'The read caused more warnings than the database lists, so that one of its values may be wrong.';
