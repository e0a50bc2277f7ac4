/**
 * Puts all participants under the same load before the first measurement, in several short bursts.
 * V8 compiles and recompiles for many seconds, and the start and the end of a load, with
 * connections that are opened and closed, run code of their own.
 */

/** A participant that can be put under load. */
interface Loadable {
  readonly run: (seconds: number) => Promise<unknown>;
  /** A different load for the warm-up. */
  readonly warm?: ((seconds: number) => Promise<unknown>) | undefined;
}

const BURST_SECONDS = 2;
/** The fewest bursts, if there are enough seconds. */
const BURSTS_MIN = 2;

/**
 * Puts each under load for this many seconds in total: first everybody's first burst, then
 * everybody's second one, and so on.
 */
export async function warmUp(all: readonly Loadable[], seconds: number): Promise<void> {
  for (const burst of burstsOf(seconds)) {
    for (const each of all) await (each.warm ?? each.run)(burst);
  }
}

/** The lengths of the bursts in whole seconds, as the load generators require. */
export function burstsOf(seconds: number): readonly number[] {
  const count = Math.min(seconds, Math.max(BURSTS_MIN, Math.ceil(seconds / BURST_SECONDS)));
  const longer = seconds % count;
  const least = Math.floor(seconds / count);
  return Array.from({ length: count }, (_, index) => (index < longer ? least + 1 : least));
}
