/** Reads the body of a call as a JSON object; whatever is wrong with it is answered here. */
import type { Call } from '../call.js';
import { decodeJsonObject, isJsonMedia, type JsonBody } from '../http/body.js';

/** Calls `use` with the body, or answers the problem. */
export function readJson(call: Call, use: (body: JsonBody) => void): void {
  if (!isJsonMedia(call.exchange.headers['content-type'])) {
    refuseMedia(call);
    return;
  }
  const { bodyBytesMax } = call.service.configuration;
  call.exchange.readBody(bodyBytesMax, (bytes) => {
    if (bytes === undefined) refuseSize(call, bodyBytesMax);
    else useDecoded(call, bytes, use);
  });
}

/** Answers 413. */
export function refuseSize(call: Call, bytesMax: number): void {
  const detail = `The body is larger than ${bytesMax} bytes.`;
  call.sendProblem({ code: 'body-too-large', detail });
}

/** Answers 415. */
export function refuseMedia(call: Call): void {
  const detail = 'The body must be application/json in UTF-8.';
  call.sendProblem({ code: 'unsupported-media-type', detail });
}

/** Runs outside the stack of the handler, so that it contains faults itself. */
function useDecoded(call: Call, bytes: Buffer, use: (body: JsonBody) => void): void {
  try {
    const decoded = decodeJsonObject(bytes);
    if (decoded.kind === 'problem') call.sendProblem(decoded.problem);
    else use(decoded);
  } catch (error) {
    call.sendFault(error);
  }
}
