/** `GET /metrics`: the metrics in Prometheus's text format. */
import type { Call } from '../call.js';
import type { WriteMetrics } from '../observe-metrics.js';

/** Created by the first request, because watching the runtime costs a little. */
let write: WriteMetrics | undefined;

export function metrics(call: Call): void {
  answer(call).catch((error: unknown) => call.sendFault(error));
}

async function answer(call: Call): Promise<void> {
  const { plans, dispatchers, senders, traffic, sources } = call.service;
  // Loaded only here, because the package is large.
  const { createMetrics, metricsType } = await import('../observe-metrics.js');
  write ??= createMetrics();
  const workers = await dispatchers.countWorkers();
  const text = await write({
    plans: plans.counters,
    dispatcher: dispatchers.counters,
    batching: dispatchers.totals.batching,
    workers,
    senders,
    traffic,
    sources: sources.sources,
  });
  call.sendText(metricsType, text);
}
