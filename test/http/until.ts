import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the condition holds. Rejects if it does not within some time. */
export async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('the condition was not met in time');
    await sleep(2);
  }
}
