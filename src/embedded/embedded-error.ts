/**
 * The error of the embedded database, thrown if this machine or the data folder prevents it from
 * starting. The message is one or two sentences for the user at the terminal.
 */

/** The reasons why an embedded database does not start or stop. The codes are stable. */
export type EmbeddedErrorCode =
  | 'binaries-missing'
  | 'data-in-use'
  | 'data-unusable'
  | 'version-mismatch'
  | 'initialization-failed'
  | 'start-failed'
  | 'stop-failed';

/** Thrown by {@link startEmbedded} and by `stop()`. */
export class EmbeddedError extends Error {
  readonly code: EmbeddedErrorCode;

  constructor(code: EmbeddedErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbeddedError';
    this.code = code;
  }
}

/** The system's error code (`ENOENT`, …) of a thrown value; undefined if it has none. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
