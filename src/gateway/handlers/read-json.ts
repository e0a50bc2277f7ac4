/** Reads the body of a call that is to be JSON. */
import type { Call } from '../call.js';
import { isPlainJson } from '../http/body.js';
import { readBody } from '../http/read-body.js';

/** Calls `use` with the bytes of a body that is said to be JSON; what it throws is answered. */
export function readJsonBytes(call: Call, use: (bytes: Uint8Array<ArrayBuffer>) => void): void {
  if (!isPlainJson(call.exchange.headers)) {
    refuseMedia(call);
    return;
  }
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

const NO_ROOM = 'Other large bodies took all the memory that there is for them.';

/** Runs what writes, or may turn out to write: see {@link Exchange.hold}. What it throws is answered. */
export function hold(call: Call, work: () => void): void {
  call.exchange.hold(() => contain(call, work));
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
export function contain(call: Call, work: () => void): void {
  try {
    work();
  } catch (error) {
    call.sendFault(error);
  }
}
