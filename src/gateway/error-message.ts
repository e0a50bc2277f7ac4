/** The messages of thrown values, most of which are errors. */

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The error for a file, or a pair of files, with invalid content. */
export function unusable(what: string, cause: unknown): Error {
  return new Error(`${what} cannot be used: ${messageOf(cause)}`, { cause });
}
