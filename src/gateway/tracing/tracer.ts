/** Creates spans of requests with OpenTelemetry, whose packages only this folder imports. */
import {
  type Attributes,
  type Context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer as ApiTracer,
} from '@opentelemetry/api';
import type { RequestFailure } from '../observe.js';
import type { Stopwatch } from '../stopwatch.js';

/** The start of a request. */
export interface TracedRequest {
  readonly method: string;
  /** The route, as in the table of routes; empty if there is none. */
  readonly route: string;
  readonly path: string;
  /** The header of the request, or empty. */
  readonly traceparent: string;
  readonly startedAt: number;
}

export interface TracedEnd {
  readonly requestId: string;
  readonly status: number;
  readonly failure: RequestFailure | undefined;
  readonly stopwatch: Stopwatch | undefined;
}

export type RequestSpan = ReturnType<Tracer['begin']>;

export type Tracer = ReturnType<typeof createTracer>;

/** The tracer, after a tracer provider has been registered. */
export function createTracer(version: string) {
  const tracer = trace.getTracer('rowgate', version);
  return {
    /** Begins the span of a request; it continues the trace of the client. */
    begin: ({ method, route, path, traceparent, startedAt }: TracedRequest) => {
      const parent = traceparent === '' ? ROOT_CONTEXT : continued(traceparent);
      const span = tracer.startSpan(
        route === '' ? method : `${method} ${route}`,
        {
          kind: SpanKind.SERVER,
          startTime: instantOf(startedAt),
          attributes: {
            'http.request.method': method,
            'url.path': path,
            ...(route !== '' && { 'http.route': route }),
          },
        },
        parent,
      );
      const context = trace.setSpan(parent, span);
      return {
        /** The header that names this span to others; empty if it is not recorded. */
        traceparent: span.isRecording() ? headerOf(context) : '',
        end: (end: TracedEnd): void => {
          if (span.isRecording()) endSpan(tracer, context, span, end);
        },
      };
    },
  };
}

function continued(traceparent: string): Context {
  return propagation.extract(ROOT_CONTEXT, { traceparent });
}

function headerOf(context: Context): string {
  const headers: { traceparent?: string } = {};
  propagation.inject(context, headers);
  return headers.traceparent ?? '';
}

function endSpan(tracer: ApiTracer, context: Context, span: Span, end: TracedEnd): void {
  const { requestId, status, failure, stopwatch } = end;
  span.setAttributes({ 'http.response.status_code': status, 'rowgate.request_id': requestId });
  if (failure) span.setAttribute('error.type', failure.code);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  if (stopwatch) addParts(tracer, context, stopwatch);
  span.end(instantOf(performance.now()));
}

/**
 * The parts of a request. The threads have different clocks: the part in a worker is placed right after
 * the compilation, and the time between the threads comes last.
 */
function addParts(tracer: ApiTracer, context: Context, stopwatch: Stopwatch): void {
  const { parsedAt, plannedAt, plan, timing } = stopwatch;
  const add = (name: string, kind: SpanKind, [from, to]: [number, number], own: Attributes) => {
    const startTime = instantOf(from);
    tracer.startSpan(name, { kind, startTime, attributes: own }, context).end(instantOf(to));
  };
  if (parsedAt === undefined || plannedAt === undefined) return;
  add('compile', SpanKind.INTERNAL, [parsedAt, plannedAt], planAttributes(stopwatch));
  if (timing === undefined) return;
  const { queueMs = 0, databaseMs, rows } = timing;
  const sentAt = plannedAt + queueMs;
  if (queueMs > 0) add('queue', SpanKind.INTERNAL, [plannedAt, sentAt], {});
  const { dialect = '', text = '', source = '' } = plan?.plan.root ?? {};
  add('database', SpanKind.CLIENT, [sentAt, sentAt + databaseMs], {
    'db.system.name': dialect.toLowerCase(),
    'db.query.text': text,
    'rowgate.source': source,
    ...(rows !== undefined && { 'db.response.returned_rows': rows }),
  });
}

function planAttributes({ plan }: Stopwatch): Attributes {
  if (!plan) return {};
  const { expression, stage, view } = plan.record.key;
  return {
    'rowgate.plan_id': plan.planId,
    'rowgate.expression': expression,
    'rowgate.stage': stage,
    'rowgate.view': view,
  };
}

/** A moment of `performance.now()` in milliseconds since 1970. */
function instantOf(moment: number): number {
  return performance.timeOrigin + moment;
}
