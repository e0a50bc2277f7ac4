/**
 * The error of the embedded database: something about this machine or the data folder keeps it from
 * starting. Its message is one or two sentences for the person at the terminal.
 */

/** Every reason why an embedded database does not start or stop; stable. */
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

/** The system's code (`ENOENT`, …) of a thrown value; undefined when it has none. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
