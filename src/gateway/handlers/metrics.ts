/** `GET /metrics`: what is counted, for Prometheus. */
import type { Call } from '../call.js';
import { createMetrics, metricsType, type WriteMetrics } from '../observe-metrics.js';

/** Made at the first request for it: watching the runtime costs a little. */
let write: WriteMetrics | undefined;

export function metrics(call: Call): void {
  const { plans, dispatcher } = call.service;
  write ??= createMetrics();
  const writeNow = write;
  dispatcher
    .countBatching()
    .then((batching) =>
      writeNow({ plans: plans.counters, dispatcher: dispatcher.counters, batching }),
    )
    .then((text) => call.sendText(metricsType, text))
    .catch((error: unknown) => call.sendFault(error));
}
