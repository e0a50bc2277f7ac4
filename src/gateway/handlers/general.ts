/** The endpoints that describe the service itself. */
import type { Call } from '../call.js';

/** How long `/readyz` waits for the sources. */
const READY_WITHIN_MS = 1500;

/** `GET /ping`. */
export function ping(call: Call): void {
  call.sendAnswer('Ping', { message: 'pong', time: new Date().toISOString() });
}

/** `GET /health`; uptime in seconds. */
export function health(call: Call): void {
  const uptime = performance.now() / 1000;
  call.sendAnswer('Health', { uptime, message: 'OK', time: new Date().toISOString() });
}

/** `GET /version`. */
export function version(call: Call): void {
  call.sendAnswer('Version', { version: call.service.version });
}

/** `GET /livez`: the process is running; databases are not checked. */
export function livez(call: Call): void {
  call.sendAnswer('Live', { status: 'live' });
}

/** `GET /readyz`: whether every source answers, and takes writes. */
export function readyz(call: Call): void {
  if (call.service.isDraining()) {
    call.sendProblem({ code: 'draining', detail: 'The service is stopping.' });
    return;
  }
  const { dispatcher } = call.service;
  const timer = setTimeout(() => {
    dispatcher.cancel(id);
    notReady(call, `The sources did not answer within ${READY_WITHIN_MS} ms.`);
  }, READY_WITHIN_MS);
  const id = dispatcher.ask(
    { type: 'probe' },
    {
      probed: (ok, readOnly) => {
        clearTimeout(timer);
        if (!ok) notReady(call, 'A source does not answer.');
        else if (readOnly.length === 0) call.sendAnswer('Ready', { status: 'ready' });
        else call.sendAnswer('Ready', { status: 'read-only', sources: readOnly });
      },
      failed: (failure) => {
        clearTimeout(timer);
        call.sendFailure(failure);
      },
    },
  );
  call.onAbort(() => {
    clearTimeout(timer);
    dispatcher.cancel(id);
  });
}

function notReady(call: Call, detail: string): void {
  call.sendProblem({ code: 'not-ready', detail });
}
