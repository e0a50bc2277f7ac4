/**
 * Passes the rows of a worker to the client, as a whole or in parts. The worker gets credit when the
 * socket has taken them.
 */
import type { Call } from '../call.js';
import type { Dispatcher } from '../dispatcher/dispatcher.js';
import type { AnswerSink, Failure, RowCount } from '../dispatcher/sinks.js';
import type { AnswerStream, Header } from '../http/exchange.js';
import type { RowsAnswerFormat } from '../rows-format.js';
import type { Timing } from '../../workers/protocol.js';

/** The format of the rows, and the dispatcher that executes the request. */
export interface RowsPlace {
  readonly format: RowsAnswerFormat;
  readonly dispatcher: Dispatcher;
}

/** As a structured field (RFC 9651), because `Warning` is obsolete (RFC 9111, 5.5). */
export const UNSTABLE_PAGE: Header = [
  'rowgate-warning',
  'sort-not-unique;detail="Rows with equal sort keys may be on two pages, or on none."',
];

/** Sends a request to a worker and answers the call with the replies. */
export function answerWithRows(
  call: Call,
  place: RowsPlace,
  send: (sink: AnswerSink) => number,
): void {
  const answer = new RowsAnswer(call, place);
  answer.requestedAs(send(answer));
}

/** The next page is at the same address, with this cursor in the data (RFC 8288, 3.4.2). */
function linkTo(cursor: string): string {
  return `<execute>; rel="next"; cursor="${cursor}"`;
}

/** The answer of a call, assembled from the replies of a worker. */
export class RowsAnswer implements AnswerSink {
  readonly #call: Call;
  readonly #format: RowsAnswerFormat;
  readonly #dispatcher: Dispatcher;
  readonly startedAt: number;
  readonly isTimed: boolean;
  readonly comment: string | undefined;
  readonly counts: RowCount | undefined;
  #id = 0;
  #stream: AnswerStream | undefined;

  constructor(call: Call, { format, dispatcher }: RowsPlace) {
    this.#call = call;
    this.startedAt = call.startedAt;
    this.isTimed = call.stopwatch !== undefined;
    this.comment = call.sqlComment;
    this.counts = call.principal?.counts;
    this.#format = format;
    this.#dispatcher = dispatcher;
  }

  get requestId(): string {
    return this.#call.requestId;
  }

  timed(timing: Timing): void {
    if (this.#call.stopwatch) this.#call.stopwatch.timing = timing;
  }

  /** The id of the request, which is cancelled if the client disconnects. */
  requestedAs(id: number): void {
    this.#id = id;
    this.#call.onAbort(() => this.#dispatcher.cancel(id));
  }

  whole(bytes: Uint8Array, next?: string): void {
    if (next !== undefined) this.#call.exchange.addHeaders([['link', linkTo(next)]]);
    this.#call.sendRows(this.#format, bytes);
  }

  part(bytes: Uint8Array<ArrayBuffer>, last: boolean): void {
    this.#stream ??= this.#call.stream(this.#format.headers);
    const isTakenOver = this.#call.service.streams.takes(this.#stream);
    const { byteLength } = bytes;
    if (isTakenOver) this.#dispatcher.credit(this.#id, byteLength);
    this.#stream.write(bytes, () => {
      this.#dispatcher.credit(this.#id, isTakenOver ? 0 : byteLength, bytes.buffer);
    });
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
