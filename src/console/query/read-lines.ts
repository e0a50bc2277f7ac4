/** Reads the lines of an answer as its parts arrive. */

/** The complete lines of each part, without the empty ones. Stopping the loop cancels the answer. */
export async function* readLines({ body }: Response): AsyncGenerator<readonly string[]> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value = '' } = await reader.read();
      const lines = (rest + value).split('\n');
      rest = done ? '' : (lines.pop() ?? '');
      yield lines.filter((line) => line !== '');
      if (done) return;
    }
  } finally {
    await reader.cancel();
  }
}
