/** Answers with rows, and with their total number, which a separate statement counts, in a header. */
import { invariant } from '../../engine/index.js';
import type { Call } from '../call.js';
import type { AnswerSink, Failure } from '../dispatcher/sinks.js';
import type { Header } from '../http/exchange.js';
import { RowsAnswer, type RowsPlace } from './rows-answer.js';

/** Sends a request to a worker; returns its id. */
type Send = (sink: AnswerSink) => number;

/**
 * The rows wait for the total; the worker sends at most as many bytes as it may without credit. If there is only one
 * connection, which the waiting rows would hold, they are requested when the total is known.
 */
export function answerWithTotal(
  call: Call,
  place: RowsPlace,
  sends: { readonly rows: Send; readonly total: Send },
): void {
  const answer = new RowsAnswer(call, place);
  const ids: number[] = [];
  const cancel = (): void => {
    for (const id of ids) place.dispatcher.cancel(id);
  };
  const failed = (failure: Failure): void => {
    cancel();
    answer.failed(failure);
  };
  const waiting: (() => void)[] = [];
  let total: Header | undefined;
  let isSent = false;
  const pass = (work: () => void): void => {
    if (!total) return void waiting.push(work);
    // Not before, because the answer of rows that fail has no total.
    if (!isSent) call.exchange.addHeaders([total]);
    isSent = true;
    work();
  };
  const { requestId, startedAt, comment } = answer;
  const shared = { requestId, startedAt, comment, failed };
  const sendRows = (): void => {
    const id = sends.rows({
      ...shared,
      counts: answer.counts,
      isTimed: answer.isTimed,
      timed: (timing) => answer.timed(timing),
      whole: (bytes, next) => {
        const kept = bytes.slice();
        pass(() => answer.whole(kept, next));
      },
      part: (bytes, last) => pass(() => answer.part(bytes, last)),
    });
    ids.push(id);
    if (call.answered) return;
    answer.requestedAs(id);
    // Replaces the listener that cancels only the rows.
    call.onAbort(cancel);
  };
  const isBeside = place.dispatcher.connectionsPerSource > 1;
  const totalId = sends.total({
    ...shared,
    whole: (bytes) => {
      total = ['x-total-count', countIn(bytes)];
      for (const work of waiting) pass(work);
      if (!isBeside) sendRows();
    },
    part: () => invariant(false, 'a count is one row'),
  });
  // The request was refused.
  if (call.answered) return;
  ids.push(totalId);
  if (isBeside) sendRows();
  else call.onAbort(cancel);
}

/** Parses the number in `[{"count":5}]`. */
function countIn(bytes: Uint8Array): string {
  const [count] = /\d+/.exec(Buffer.from(bytes).toString('latin1')) ?? [];
  invariant(count !== undefined, 'an answer with a count');
  return count;
}
