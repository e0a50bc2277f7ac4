/** Requests to workers whose answer is awaited for a limited time. */
import type { SourceState } from '../../workers/protocol.js';
import type { Dispatcher } from './dispatcher.js';

/** Sends a request, and cancels it if it is not settled in time. `send` returns its id. */
export function askWithin<Answer>(
  dispatcher: Dispatcher,
  milliseconds: number,
  send: (settle: (answer?: Answer) => void) => number,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const settle = (answer?: Answer): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    const timer = setTimeout(() => {
      dispatcher.cancel(id);
      settle();
    }, milliseconds).unref();
    const id = send(settle);
  });
}

/** The states of the sources; undefined if they are not known in time. */
export function probeWithin(
  dispatcher: Dispatcher,
  milliseconds: number,
): Promise<readonly SourceState[] | undefined> {
  return askWithin(dispatcher, milliseconds, (settle) =>
    dispatcher.ask(
      { type: 'probe' },
      { probed: (_ok, _readOnly, sources) => settle(sources), failed: () => settle() },
    ),
  );
}
