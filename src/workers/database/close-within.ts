/** Closes a connection properly, or breaks it off if the other side does not answer. */

/** How long the other side may take. */
export const CLOSE_MS = 1000;

/** `end` settles when the other side has closed the connection; `destroy` is called then, or after `limitMs`. */
export async function closeWithin(
  end: Promise<unknown>,
  destroy: () => unknown,
  limitMs: number,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([end, limit]).catch(() => undefined);
  clearTimeout(timer);
  destroy();
}
