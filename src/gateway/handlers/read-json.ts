/** Reads the body of a call as JSON; whatever is wrong with it is answered here. */
import type { Call } from '../call.js';
import {
  type DecodedBody,
  decodeJson,
  decodeJsonObject,
  isJsonMedia,
  type JsonBody,
  type JsonValue,
} from '../http/body.js';

/** Calls `use` with the body, which must be an object, or answers the problem. */
export function readJson(call: Call, use: (body: JsonBody) => void): void {
  readBody(call, decodeJsonObject, use);
}

/** Calls `use` with the body, or answers the problem. */
export function readJsonValue(call: Call, use: (body: JsonValue) => void): void {
  readBody(call, decodeJson, use);
}

type Decode<Body extends JsonValue> = (bytes: Buffer) => DecodedBody<Body>;

function readBody<Body extends JsonValue>(
  call: Call,
  decode: Decode<Body>,
  use: (body: Body) => void,
): void {
  if (!isJsonMedia(call.exchange.headers['content-type'])) {
    refuseMedia(call);
    return;
  }
  const { bodyBytesMax } = call.service.configuration;
  call.exchange.readBody(bodyBytesMax, (bytes) => {
    if (bytes === undefined) refuseSize(call, bodyBytesMax);
    else useDecoded(call, () => decode(bytes), use);
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
function useDecoded<Body extends JsonValue>(
  call: Call,
  decode: () => DecodedBody<Body>,
  use: (body: Body) => void,
): void {
  try {
    const decoded = decode();
    if (decoded.kind === 'problem') call.sendProblem(decoded.problem);
    else use(decoded);
  } catch (error) {
    call.sendFault(error);
  }
}
