/**
 * Splits bytes into lines at line feeds only. `node:readline` also splits at U+2028 and U+2029 from Node.js 24 on, which
 * JSON may contain in its strings.
 */

/** The lines, without their line feeds; the last one may lack it. Leaving the loop ends the bytes. */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // Pieces, because joining a long line anew for each part would take quadratic time.
  let pieces: string[] = [];
  for await (const part of bytes) {
    const [end = '', ...others] = decoder.decode(part, { stream: true }).split('\n');
    pieces.push(end);
    for (const start of others) {
      yield pieces.join('');
      pieces = [start];
    }
  }
  const rest = pieces.join('');
  if (rest !== '') yield rest;
}
