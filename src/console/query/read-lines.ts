/** Reads NDJSON as it arrives. */

/** The complete lines of each part, without the empty ones. Stopping the loop cancels the answer. */
export async function* readLines({ body }: Response): AsyncGenerator<readonly string[]> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  // Pieces, because joining a long line anew for each part would take quadratic time.
  let pieces: string[] = [];
  try {
    for (;;) {
      const { done, value = '' } = await reader.read();
      const lines: string[] = [];
      // The end of the answer also ends its last line.
      for (const [index, text] of (done ? '\n' : value).split('\n').entries()) {
        if (index > 0) {
          lines.push(pieces.join(''));
          pieces = [];
        }
        pieces.push(text);
      }
      yield lines.filter((line) => line !== '');
      if (done) return;
    }
  } finally {
    await reader.cancel();
  }
}
