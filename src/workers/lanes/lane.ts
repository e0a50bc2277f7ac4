/**
 * The lane of one plan: while its statements run, its next requests wait, and then run together. A
 * request that is alone runs at once, as the plan's own sentence. What is long, or has large
 * answers, is not waited for: such requests run side by side.
 */
import { performance } from 'node:perf_hooks';
import { createCancellation } from '../execution/cancellation.js';
import type { ReadyPlan } from '../plans.js';
import { SourceError } from '../sources/source-error.js';
import type { Session, Source } from '../sources/source.js';
import type { LaneCounters } from './lane-counters.js';
import { askLaneShape, type LaneShape } from './lane-shape.js';
import type { LaneHost, Member } from './member.js';
import { Pace } from './pace.js';
import { runBatch } from './run-batch.js';

/** Statements of one plan that run at a time. */
const RUNNING_MAX = 2;

export interface LaneOptions {
  readonly ready: ReadyPlan;
  readonly source: Source;
  readonly rowsMax: number;
  readonly counters: LaneCounters;
  readonly host: LaneHost;
}

export class Lane {
  readonly #options: LaneOptions;
  readonly #never = createCancellation();
  readonly #pace = new Pace();
  #waiting: Member[] = [];
  #running = 0;
  #isScheduled = false;
  #shape: LaneShape | 'none' | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Takes a request; the host is given its answer. */
  join(member: Member): void {
    if (this.#shape === 'none' || this.#pace.membersMax === 1) {
      void this.#runAlone(member);
      return;
    }
    this.#waiting.push(member);
    this.#schedule();
  }

  /** Requests of one message are together before the first statement is put together. */
  #schedule(): void {
    if (this.#isScheduled || this.#running >= RUNNING_MAX) return;
    this.#isScheduled = true;
    if (this.#running === 0) queueMicrotask(() => this.#start());
    else setImmediate(() => this.#start());
  }

  #start(): void {
    this.#isScheduled = false;
    if (this.#running >= RUNNING_MAX) return;
    const members = this.#takeWaiting();
    if (members.length === 0) return;
    this.#running += 1;
    const timer = setTimeout(() => this.#losePatience(), this.#pace.patienceMs);
    void this.#run(members).finally(() => {
      clearTimeout(timer);
      this.#running -= 1;
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  #takeWaiting(): readonly Member[] {
    const most = this.#pace.membersMax;
    const all = this.#waiting;
    this.#waiting = all.length <= most ? [] : all.slice(most);
    const taken = all.length <= most ? all : all.slice(0, most);
    if (!taken.some(({ isCancelled }) => isCancelled)) return taken;
    for (const member of taken) if (member.isCancelled) this.#options.host.dropped(member);
    return taken.filter(({ isCancelled }) => !isCancelled);
  }

  async #run(members: readonly Member[]): Promise<void> {
    const [first] = members;
    if (members.length === 1 && first) return this.#runAlone(first);
    const { counters } = this.#options;
    try {
      await this.#runTogether(members);
    } catch {
      // One bad member fails the statement of all: by itself, each gets its own answer or error.
      counters.broken += 1;
      await Promise.all(members.map((member) => this.#runAlone(member)));
      return;
    }
    counters.batches += 1;
    counters.batched += members.length;
  }

  async #runTogether(members: readonly Member[]): Promise<void> {
    const { source, ready, rowsMax, host } = this.#options;
    const session = await source.openSession(this.#never);
    try {
      this.#shape ??= await this.#askShape(session, members);
      if (this.#shape === 'none') throw new SourceError('internal');
      const startedAt = performance.now();
      await runBatch(session, { ready, shape: this.#shape, members, rowsMax, host });
      this.#pace.learn(performance.now() - startedAt, members.length);
      this.#countWaits(members, startedAt);
    } finally {
      session.release();
    }
  }

  async #askShape(session: Session, [first]: readonly Member[]): Promise<LaneShape | 'none'> {
    const shape = first && (await askLaneShape(session, this.#options.ready.plan, first.values));
    return shape ?? 'none';
  }

  async #runAlone(member: Member): Promise<void> {
    const { ready, host, counters } = this.#options;
    counters.alone += 1;
    let startedAt = 0;
    const onStart = (): void => {
      startedAt = performance.now();
    };
    const isSmall = await host.runAlone(member, ready, onStart);
    if (isSmall) this.#pace.learn(performance.now() - startedAt, 1);
    else this.#pace.tooLong();
  }

  /** What runs takes long: those that wait behind it need not. */
  #losePatience(): void {
    this.#pace.tooLong();
    for (const member of this.#waiting.splice(0)) void this.#runAlone(member);
  }

  #countWaits(members: readonly Member[], startedAt: number): void {
    const { counters } = this.#options;
    for (const { joinedAt } of members) counters.waitedMs += startedAt - joinedAt;
  }
}
