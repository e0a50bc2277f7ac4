/**
 * The dispatchers that have workers: those of the service in force and of services that a reload has replaced, each with one for
 * large bodies if it is needed.
 */
import type { WorkerReport } from '../../workers/protocol.js';
import { createTotals } from '../statistics/totals.js';
import type { Dispatcher } from './dispatcher.js';

export class Dispatchers {
  readonly totals = createTotals();
  readonly #running = new Set<Dispatcher>();

  add(dispatcher: Dispatcher): void {
    this.#running.add(dispatcher);
  }

  delete(dispatcher: Dispatcher): void {
    this.#running.delete(dispatcher);
  }

  /** Counters for logs and metrics. */
  get counters() {
    const all = [...this.#running];
    return {
      ...this.totals.requests,
      workers: all.reduce((sum, { workers }) => sum + workers, 0),
      unanswered: all.reduce((sum, { unanswered }) => sum + unanswered, 0),
    };
  }

  /** Asks every worker for its report, and adds what it has counted to the totals. */
  async countWorkers(): Promise<readonly WorkerReport[]> {
    const reports = await Promise.all([...this.#running].map((each) => each.countWorkers()));
    return reports.flat();
  }
}
