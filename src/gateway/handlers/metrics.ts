/** `GET /metrics`: the metrics in Prometheus's text format. */
import type { Call } from '../call.js';
import type { WriteMetrics } from '../observe-metrics.js';

interface Metrics {
  readonly contentType: string;
  readonly write: WriteMetrics;
}

/** Loaded and created by the first request, because the package is large, and watching the runtime costs a little. */
let created: Promise<Metrics> | undefined;

export function metrics(call: Call): void {
  answer(call).catch((error: unknown) => call.sendFault(error));
}

async function answer(call: Call): Promise<void> {
  const { plans, dispatcher, senders, traffic, sources } = call.service;
  created ??= create();
  const [{ contentType, write }, workers] = await Promise.all([created, dispatcher.countWorkers()]);
  const text = await write({
    plans: plans.counters,
    dispatcher: dispatcher.counters,
    workers,
    senders,
    traffic,
    sources: sources.sources,
  });
  call.sendText(contentType, text);
}

async function create(): Promise<Metrics> {
  const { createMetrics, metricsType } = await import('../observe-metrics.js');
  return { contentType: metricsType, write: createMetrics() };
}
