/**
 * Passes the rows of a worker on to the client: whole, or part by part, with credit back to the worker
 * once the socket has taken them.
 */
import type { Call } from '../call.js';
import type { Dispatcher } from '../dispatcher/dispatcher.js';
import type { AnswerSink, Failure } from '../dispatcher/sinks.js';
import type { AnswerStream } from '../http/exchange.js';
import type { RowsAnswerFormat } from '../rows-format.js';

/** In which format rows are sent, and by whom the request is run. */
interface RowsPlace {
  readonly format: RowsAnswerFormat;
  readonly dispatcher: Dispatcher;
}

/** Sends a request to a worker and answers the call with what comes back. */
export function answerWithRows(
  call: Call,
  place: RowsPlace,
  send: (sink: AnswerSink) => number,
): void {
  const answer = new RowsAnswer(call, place);
  answer.requestedAs(send(answer));
}

class RowsAnswer implements AnswerSink {
  readonly #call: Call;
  readonly #format: RowsAnswerFormat;
  readonly #dispatcher: Dispatcher;
  #id = 0;
  #stream: AnswerStream | undefined;

  constructor(call: Call, { format, dispatcher }: RowsPlace) {
    this.#call = call;
    this.#format = format;
    this.#dispatcher = dispatcher;
  }

  /** The id of the request, which a client that goes away cancels. */
  requestedAs(id: number): void {
    this.#id = id;
    this.#call.onAbort(() => this.#dispatcher.cancel(id));
  }

  whole(bytes: Uint8Array): void {
    this.#call.sendRows(this.#format, bytes);
  }

  part(bytes: Uint8Array<ArrayBuffer>, last: boolean): void {
    this.#stream ??= this.#call.stream(this.#format.headers);
    this.#stream.write(bytes, () => this.#dispatcher.credit(this.#id, bytes));
    if (!last) return;
    this.#stream.end();
    this.#call.streamed();
  }

  failed(failure: Failure): void {
    if (this.#stream === undefined) this.#call.sendFailure(failure);
    else if (this.#format.endsWithFaultLine) this.#call.endWithFault(this.#stream, failure);
    else this.#call.breakOff(this.#stream, failure);
  }
}
