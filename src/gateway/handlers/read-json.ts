/** Reads the JSON body of a call, and receives the plan of its query. */
import type { Call } from '../call.js';
import { isOriginAllowed } from '../cors.js';
import type { Failure } from '../dispatcher/sinks.js';
import { isJsonMedia, isPlainJson } from '../http/body.js';
import { readBody } from '../http/read-body.js';
import type { PlannedRequest, PlannedSink } from '../shared-plans.js';

/** Calls `use` with the bytes of a JSON body; errors that it throws are answered. */
export function readJsonBytes(call: Call, use: (bytes: Uint8Array<ArrayBuffer>) => void): void {
  if (!acceptsMedia(call)) return;
  const { room, configuration } = call.service;
  const { bodyBytesMax: bytesMax } = configuration;
  readBody(
    call.exchange,
    { bytesMax, room },
    {
      done: (bytes) => contain(call, () => use(bytes)),
      refused: (reason) => {
        if (reason === 'body-too-large') refuseSize(call, bytesMax);
        else call.sendProblem({ code: reason, detail: NO_ROOM });
      },
    },
  );
}

const NO_ROOM =
  'Other large bodies use all the memory for bodies, and this one waited too long or arrived too slowly: send the request again later.';

/** For a request that may turn out to write: see {@link Exchange.hold}. Errors of `work` are answered. */
export function hold(call: Call, work: () => void): void {
  call.exchange.hold(() => contain(call, work));
}

/** Answers 413. */
export function refuseSize(call: Call, bytesMax: number): void {
  const detail = `The body is larger than ${bytesMax} bytes.`;
  call.sendProblem({ code: 'body-too-large', detail });
}

/** Whether the headers announce plain JSON; if not, answers 415. */
export function acceptsMedia(call: Call): boolean {
  const { headers } = call.exchange;
  const isJson = isPlainJson(headers);
  if (isJson && (headers['content-type'] !== '' || !isUnasked(call))) return true;
  call.sendProblem({ code: 'unsupported-media-type', detail: isJson ? UNASKED : whyRefused(call) });
  return false;
}

/**
 * Whether a page sends a body without a type. Browsers send that to any address without a preflight, also to one that only
 * this machine can reach.
 */
function isUnasked({ exchange, service }: Call): boolean {
  const { origin } = exchange.headers;
  return origin !== '' && !isOriginAllowed(service.configuration.corsOrigins, origin);
}

const UNASKED = 'A web page must send the header Content-Type: application/json.';

function whyRefused(call: Call): string {
  const { 'content-type': type, 'content-encoding': coding } = call.exchange.headers;
  return isJsonMedia(type)
    ? `The body must not be compressed: do not send the header Content-Encoding: ${coding}.`
    : `The body must be JSON in UTF-8. Send the header Content-Type: application/json, not ${type}.`;
}

/** Receives a plan, and calls `use` with it unless the client has disconnected. Answers failures. */
export function planSink(call: Call, use: PlannedSink['planned']): PlannedSink {
  return {
    planned: (entry, request) => {
      if (!call.exchange.aborted) contain(call, () => use(entry, request));
    },
    failed: (failure) => call.sendFailure(failure),
  };
}

/** A plan, or why there is none. */
export type PlanOutcome = PlannedRequest | Failure;

/** Obtains a plan for each request. When all are there, calls `use` unless the client has disconnected. */
export function obtainAll<Request>(
  call: Call,
  requests: readonly Request[],
  obtain: (request: Request, sink: PlannedSink) => void,
  use: (outcomes: readonly PlanOutcome[]) => void,
): void {
  const outcomes: PlanOutcome[] = [];
  let missing = requests.length;
  const settle = (index: number, outcome: PlanOutcome): void => {
    outcomes[index] = outcome;
    missing -= 1;
    if (missing === 0 && !call.exchange.aborted) contain(call, () => use(outcomes));
  };
  for (const [index, request] of requests.entries()) {
    obtain(request, {
      planned: (entry, planned) => settle(index, { entry, request: planned }),
      failed: (failure) => settle(index, failure),
    });
  }
}

/** Runs outside the handler's stack, so it catches errors itself. */
export function contain(call: Call, work: () => void): void {
  try {
    work();
  } catch (error) {
    call.sendFault(error);
  }
}
