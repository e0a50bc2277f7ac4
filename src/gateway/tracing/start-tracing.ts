/** Loads the SDK of OpenTelemetry if the standard variables request traces. */

type Environment = Readonly<Record<string, string | undefined>>;

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];

/**
 * Undefined if no traces are requested. Rejects if they are, but the SDK is not installed. `close` sends the spans
 * that wait.
 */
export async function startTracing(environment: Environment, version: string) {
  if (!asksForTraces(environment)) return undefined;
  const { NodeSDK } = await importSdk();
  const { createTracer } = await import('./tracer.js');
  const serviceName = environment['OTEL_SERVICE_NAME'] ?? 'rowgate';
  // The SDK reads the other variables itself. Logs and metrics are not sent through it.
  const sdk = new NodeSDK({ serviceName, metricReaders: [], logRecordProcessors: [] });
  sdk.start();
  return { tracer: createTracer(version), close: () => sdk.shutdown() };
}

function asksForTraces(environment: Environment): boolean {
  const exporter = environment['OTEL_TRACES_EXPORTER'] ?? '';
  if (environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || exporter === 'none') {
    return false;
  }
  return exporter !== '' || ENDPOINTS.some((name) => (environment[name] ?? '') !== '');
}

async function importSdk() {
  try {
    return await import('@opentelemetry/sdk-node');
  } catch (cause) {
    const message =
      'The variables OTEL_… ask for traces, which need a package: npm install @opentelemetry/sdk-node';
    throw new Error(message, { cause });
  }
}
