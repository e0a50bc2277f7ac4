/** The comment that names a trace in SQL, as sqlcommenter writes it. */

/** Only hexadecimal digits reach the SQL (W3C Trace Context, 3.2). */
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Undefined if the header is absent or invalid. */
export function sqlCommentOf(traceparent: string): string | undefined {
  return TRACEPARENT.test(traceparent) ? `/*traceparent='${traceparent}'*/` : undefined;
}
