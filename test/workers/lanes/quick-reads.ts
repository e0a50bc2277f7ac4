/** Watches which short reads of lanes begin without a session. */
import { expect, vi } from 'vitest';
import {
  LoneBatch,
  type KeptBatch,
  type WrittenBatch,
} from '../../../src/workers/lanes/quick-batch.js';
import { PostgresqlSource } from '../../../src/workers/database/postgresql/source.js';
import type { LaneWorker } from './lane-worker.js';

export interface QuickWatch {
  /** How many of this kind have begun since `forget`. */
  count(kind: typeof LoneBatch | typeof KeptBatch | typeof WrittenBatch): number;
  forget(): void;
  /** Runs requests of a plan until those of a batch, and one alone, begin without a session. */
  warm(worker: LaneWorker, plan: number, data: readonly unknown[]): Promise<void>;
  stop(): void;
}

export function watchQuickReads(kind: typeof KeptBatch | typeof WrittenBatch): QuickWatch {
  const spy = vi.spyOn(PostgresqlSource.prototype, 'tryRead');
  const watch: QuickWatch = {
    count: (kindOf) =>
      spy.mock.calls.filter(
        ([, , read], index) =>
          read instanceof kindOf && spy.mock.results[index]?.value !== undefined,
      ).length,
    forget: () => spy.mockClear(),
    async warm(worker, plan, data) {
      const asks = Array.from({ length: 400 }, (_, index) => ({
        plan,
        data: data[index % data.length],
      }));
      watch.forget();
      for (let round = 0; round < 200 && watch.count(kind) < 8; round += 1) {
        await worker.outcomes(asks);
      }
      expect(watch.count(kind)).toBeGreaterThanOrEqual(8);
      watch.forget();
      await worker.outcomes(asks.slice(0, 1));
      expect(watch.count(LoneBatch)).toBe(1);
      watch.forget();
    },
    stop: () => spy.mockRestore(),
  };
  return watch;
}
