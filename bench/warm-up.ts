/**
 * Load before the first measurement, the same for all, in several short bursts. V8 compiles and
 * compiles anew for many seconds, and each beginning and end of a load, with connections that open
 * and are broken off, runs code of its own.
 */

/** What can be put under load. */
interface Loadable {
  readonly run: (seconds: number) => Promise<unknown>;
  /** What runs instead of it to warm up. */
  readonly warm?: ((seconds: number) => Promise<unknown>) | undefined;
}

const BURST_SECONDS = 2;
/** Where there is time for them. */
const BURSTS_MIN = 2;

/** Puts each under load for so many seconds in all: everybody's first burst, then all second ones. */
export async function warmUp(all: readonly Loadable[], seconds: number): Promise<void> {
  for (const burst of burstsOf(seconds)) {
    for (const each of all) await (each.warm ?? each.run)(burst);
  }
}

/** The lengths of the bursts: whole seconds, as the generators take them. */
export function burstsOf(seconds: number): readonly number[] {
  const count = Math.min(seconds, Math.max(BURSTS_MIN, Math.ceil(seconds / BURST_SECONDS)));
  const longer = seconds % count;
  const least = Math.floor(seconds / count);
  return Array.from({ length: count }, (_, index) => (index < longer ? least + 1 : least));
}
