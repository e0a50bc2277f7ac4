/**
 * Passes the rows of a worker on to the client: whole, or part by part, with credit back to the worker
 * once the socket has taken them.
 */
import { type Call, JSON_TYPE } from '../call.js';
import type { Dispatcher } from '../dispatcher/dispatcher.js';
import type { AnswerSink, Failure } from '../dispatcher/sinks.js';
import type { AnswerStream } from '../http/exchange.js';

/** Sends a request to a worker and answers the call with what comes back. */
export function answerWithRows(call: Call, send: (sink: AnswerSink) => number): void {
  const answer = new RowsAnswer(call);
  answer.requestedAs(send(answer));
}

class RowsAnswer implements AnswerSink {
  readonly #call: Call;
  readonly #dispatcher: Dispatcher;
  #id = 0;
  #stream: AnswerStream | undefined;
  /** Bytes that were written and that the socket has not taken. */
  #owedBytes = 0;

  constructor(call: Call) {
    this.#call = call;
    this.#dispatcher = call.service.dispatcher;
  }

  /** The id of the request, which a client that goes away cancels. */
  requestedAs(id: number): void {
    this.#id = id;
    this.#call.onAbort(() => this.#dispatcher.cancel(id));
  }

  whole(bytes: Uint8Array): void {
    this.#call.sendJson(bytes);
  }

  part(bytes: Uint8Array, last: boolean): void {
    this.#stream ??= this.#call.stream(JSON_TYPE, () => this.#onDrain());
    this.#owedBytes += bytes.byteLength;
    const taken = this.#stream.write(bytes);
    if (last) {
      this.#stream.end();
      this.#call.streamed();
    } else if (taken) {
      this.#onDrain();
    }
  }

  failed(failure: Failure): void {
    if (this.#stream === undefined) this.#call.sendFailure(failure);
    else this.#call.breakOff(this.#stream, failure);
  }

  #onDrain(): void {
    const bytes = this.#owedBytes;
    this.#owedBytes = 0;
    if (bytes > 0) this.#dispatcher.credit(this.#id, bytes);
  }
}
