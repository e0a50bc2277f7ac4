/**
 * Warnings that mean a wrong value. A read does not fail when a number has no room in a decimal, or a text
 * in a packet: the server gives the greatest decimal, or null, and counts a warning with the rows. What it was
 * is only known by asking immediately behind the statement, so the read runs again. Writes fail by themselves
 * (STRICT_ALL_TABLES).
 */
import type { SourceError } from '../source-error.js';
import { fieldsOf, noRows, plain, type Run, type Statement, type Step } from '../statement.js';
import { mysqlError, ServerFault } from './errors.js';

/** Out of range for the decimal it is cast to; the same of a double; a text longer than a packet. */
const wrongValues: ReadonlySet<number> = new Set([1264, 1916, 1301]);

/** Whether a statement can run again without an effect. */
export function isRead(text: string): boolean {
  return /^\(?SELECT\b/.test(text);
}

/** Runs reads again, and fails where the server warns of a wrong value. */
export function inquiryAbout(reads: readonly Statement[], end: Run['end']): Run {
  let fault: SourceError | undefined;
  const sink: Step['sink'] = {
    keepsRows: false,
    row(bytes, start) {
      const [, errno, message] = fieldsOf(bytes, start);
      if (!wrongValues.has(Number(errno))) return;
      fault ??= mysqlError(new ServerFault(Number(errno), 'HY000', message ?? ''));
    },
  };
  const steps = reads.flatMap((statement): Step[] => [
    { statement, rowsMax: 0, sink: noRows },
    { statement: plain('SHOW WARNINGS'), rowsMax: 0, sink },
  ]);
  return { steps, end: (error, serviceMs) => end(error ?? fault, serviceMs) };
}
