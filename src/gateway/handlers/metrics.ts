/** `GET /metrics`: the metrics in Prometheus's text format. */
import type { Call } from '../call.js';
import { createMetrics, metricsType, type WriteMetrics } from '../observe-metrics.js';

/** Created by the first request, because watching the runtime costs a little. */
let write: WriteMetrics | undefined;

export function metrics(call: Call): void {
  const { plans, dispatcher, senders, traffic, sources } = call.service;
  write ??= createMetrics();
  const writeNow = write;
  dispatcher
    .countWorkers()
    .then((workers) =>
      writeNow({
        plans: plans.counters,
        dispatcher: dispatcher.counters,
        workers,
        senders,
        traffic,
        sources: sources.sources,
      }),
    )
    .then((text) => call.sendText(metricsType, text))
    .catch((error: unknown) => call.sendFault(error));
}
