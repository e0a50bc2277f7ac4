/** Closes a connection properly, or breaks it off if the other side does not answer. */

/** How long the other side may take. */
const LIMIT_MS = 2000;

/** `end` settles when the other side has closed the connection; `destroy` is called then, or after the limit. */
export async function closeWithin(end: Promise<unknown>, destroy: () => unknown): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, LIMIT_MS);
  });
  await Promise.race([end, limit]).catch(() => undefined);
  clearTimeout(timer);
  destroy();
}
