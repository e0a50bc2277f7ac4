/** A connection to a database that runs one statement after another, each for the time in its text. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../../../src/workers/database/connection.js';
import { SourceError } from '../../../src/workers/database/source-error.js';
import { noRows, plain, type Run } from '../../../src/workers/database/statement.js';
import { stopUntilIdle } from '../../../src/workers/database/stop-until-idle.js';
import { SharedWork } from '../../../src/workers/execute/shared-work.js';

/** How long an interruption takes to arrive, in milliseconds. */
const INTERRUPT_MS = 2;

export class SerialConnection implements Connection {
  isAlive = true;
  isStopping = false;
  servingSince = 0;
  readonly heardAt = 0;
  readonly isInTransaction = false;
  /** The texts of the statements that were sent. */
  readonly texts: string[] = [];
  readonly #sent: { readonly run: Run; isAbandoned: boolean }[] = [];
  #serving: NodeJS.Timeout | undefined;

  get inFlight(): number {
    return this.#sent.length;
  }

  canKeep(): boolean {
    return true;
  }

  send(run: Run): void {
    this.texts.push(textOf(run));
    this.#sent.push({ run, isAbandoned: false });
  }

  flush(): void {
    if (!this.#serving) this.#serve();
  }

  abandon(run: Run, error: unknown): void {
    const sent = this.#sent.find((each) => each.run === run && !each.isAbandoned);
    if (!sent) return;
    sent.isAbandoned = true;
    run.end(error, 0);
  }

  takeBackWaiting(): readonly Run[] {
    const waiting = this.#sent.slice(1).filter(({ isAbandoned }) => !isAbandoned);
    for (const sent of waiting) sent.isAbandoned = true;
    return waiting.map(({ run }) => run);
  }

  pause(): void {}
  resume(): void {}

  async stop(): Promise<void> {
    this.isStopping = true;
    await stopUntilIdle(this, async () => {
      await sleep(INTERRUPT_MS);
      clearTimeout(this.#serving);
      this.#ended(new SourceError('statement-timeout'));
    });
    this.isStopping = false;
  }

  destroy(): void {
    this.isAlive = false;
    clearTimeout(this.#serving);
  }

  async close(): Promise<void> {
    this.destroy();
  }

  #serve(): void {
    const [head] = this.#sent;
    this.servingSince = performance.now();
    this.#serving = head && setTimeout(() => this.#ended(undefined), Number(textOf(head.run)));
  }

  #ended(error: unknown): void {
    const head = this.#sent.shift();
    if (head && !head.isAbandoned) head.run.end(error, 1);
    this.#serve();
  }
}

function textOf({ steps: [step] }: Run): string {
  return step?.statement?.text ?? '';
}

/** A read of a single request with this statement: its text is how long it takes, in milliseconds. */
export function workOf(text: number | string, finish: (error: unknown) => void): SharedWork {
  return new SingleStatement(String(text), finish);
}

class SingleStatement extends SharedWork {
  readonly steps: SharedWork['steps'];
  override readonly isSingle = true;
  protected readonly finish: (error: unknown) => void;

  constructor(text: string, finish: (error: unknown) => void) {
    super({ costMs: 0.5, promoted: () => undefined });
    this.steps = [{ statement: plain(text), rowsMax: 0, sink: noRows }];
    this.finish = finish;
  }
}
