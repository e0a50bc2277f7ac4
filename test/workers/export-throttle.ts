/** A slow receiver of an export, which detects when the export does not wait for it. */
import { setImmediate as nextTurn } from 'node:timers/promises';

export interface Throttle {
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly bytes: number;
  /** The number of parts that arrived before the previous one was taken. */
  readonly overlaps: number;
}

export function createThrottle(): Throttle {
  const state = { bytes: 0, overlaps: 0, isBusy: false };
  return {
    async write(bytes) {
      if (state.isBusy) state.overlaps += 1;
      state.isBusy = true;
      for (let turn = 0; turn < 20; turn += 1) await nextTurn();
      state.isBusy = false;
      state.bytes += bytes.byteLength;
    },
    get bytes() {
      return state.bytes;
    },
    get overlaps() {
      return state.overlaps;
    },
  };
}
