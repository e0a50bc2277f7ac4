/** Reads NDJSON. */

/** The lines of a body as it arrives. Leaving the loop cancels the body, and with it the statement. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  // Pieces, because joining a long line anew for each chunk would take quadratic time.
  let pieces: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const [end = '', ...others] = decoder.decode(value, { stream: true }).split('\n');
      pieces.push(end);
      for (const start of others) {
        yield pieces.join('');
        pieces = [start];
      }
    }
    const rest = pieces.join('');
    if (rest !== '') yield rest;
  } finally {
    await reader.cancel();
  }
}
