/** Reads the body of a call as JSON; whatever is wrong with it is answered here. */
import type { Call } from '../call.js';
import { type DecodedBody, decodeJson, isPlainJson, type JsonValue } from '../http/body.js';

/** Calls `use` with the body, or answers the problem. */
export function readJson(call: Call, use: (body: JsonValue) => void): void {
  readJsonBytes(call, (bytes) => useDecoded(call, decodeJson(bytes), use));
}

/** Calls `use` with the bytes of a body that is said to be JSON, or answers the problem. */
export function readJsonBytes(call: Call, use: (bytes: Uint8Array) => void): void {
  if (!isPlainJson(call.exchange.headers)) {
    refuseMedia(call);
    return;
  }
  const { bodyBytesMax } = call.service.configuration;
  call.exchange.readBody(bodyBytesMax, (bytes) => {
    if (bytes === undefined) refuseSize(call, bodyBytesMax);
    else useBytes(call, bytes, use);
  });
}

/** Answers 413. */
export function refuseSize(call: Call, bytesMax: number): void {
  const detail = `The body is larger than ${bytesMax} bytes.`;
  call.sendProblem({ code: 'body-too-large', detail });
}

/** Answers 415. */
export function refuseMedia(call: Call): void {
  const detail = 'The body must be application/json in UTF-8, and not compressed.';
  call.sendProblem({ code: 'unsupported-media-type', detail });
}

/** Runs outside the stack of the handler, so that it contains faults itself. */
function useBytes(call: Call, bytes: Uint8Array, use: (bytes: Uint8Array) => void): void {
  try {
    use(bytes);
  } catch (error) {
    call.sendFault(error);
  }
}

/** Calls `use` with what was decoded, or answers the problem. */
export function useDecoded<Body extends JsonValue>(
  call: Call,
  decoded: DecodedBody<Body>,
  use: (body: Body) => void,
): void {
  if (decoded.kind === 'problem') call.sendProblem(decoded.problem);
  else use(decoded);
}
