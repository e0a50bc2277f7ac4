/**
 * Passes the replies of workers on in small shares. Between two shares, the event loop reads the next
 * requests of the clients that were answered: otherwise the workers and the databases would be idle
 * until all answers are written.
 */
import type { WorkerReply } from '../../workers/protocol.js';
import type { WholeReplies } from './pending.js';
import type { WorkerLink } from './worker-link.js';

/** The most answers of a share. A small message of a worker is not divided. */
const SHARE_MAX = 32;

/** Receives replies, in the order in which they arrived. */
interface ReplyReceiver {
  /** Whole answers, from the index `from` up to `to`. */
  answered(link: WorkerLink, replies: WholeReplies, from: number, to: number): void;
  replied(link: WorkerLink, reply: Exclude<WorkerReply, WholeReplies>): void;
}

interface Waiting {
  readonly link: WorkerLink;
  readonly reply: WorkerReply;
  /** How many of its answers were passed on. */
  passed: number;
}

export class ReplyQueue {
  readonly #receiver: ReplyReceiver;
  #waiting: Waiting[] = [];
  /** Whether this iteration of the event loop has had its share. */
  #isScheduled = false;

  constructor(receiver: ReplyReceiver) {
    this.#receiver = receiver;
  }

  add(link: WorkerLink, replies: readonly WorkerReply[]): void {
    for (const reply of replies) this.#waiting.push({ link, reply, passed: 0 });
    if (this.#isScheduled) return;
    this.#pass(SHARE_MAX);
    this.#schedule();
  }

  /** Passes everything on. */
  flush(): void {
    this.#pass(Number.POSITIVE_INFINITY);
  }

  #schedule(): void {
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#waiting.length === 0) return;
      this.#pass(SHARE_MAX);
      this.#schedule();
    });
  }

  #pass(most: number): void {
    let room = most;
    let ended = 0;
    for (const waiting of this.#waiting) {
      if (room <= 0) break;
      const { link, reply, passed } = waiting;
      if (reply.type === 'answers') {
        waiting.passed = Math.min(reply.ids.length, passed + room);
        room -= waiting.passed - passed;
        this.#receiver.answered(link, reply, passed, waiting.passed);
        if (waiting.passed < reply.ids.length) break;
      } else {
        room -= 1;
        this.#receiver.replied(link, reply);
      }
      ended += 1;
    }
    this.#waiting = ended === this.#waiting.length ? [] : this.#waiting.slice(ended);
  }
}
