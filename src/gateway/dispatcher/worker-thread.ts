/**
 * A worker thread. Each has a Piscina of its own, which starts and ends it: one for all would start no further threads after one
 * that fails while it loads its module, and would keep its task in the queue.
 */
import { once } from 'node:events';
import { Piscina } from 'piscina';
import { invariant } from '../../engine/index.js';
import type { AttachTask, WorkerContext } from '../../workers/protocol.js';

/**
 * The memory for new objects, of a worker: the default of Node.js 20. That of later versions is larger, and a worker that
 * parses large bodies would fill it.
 */
const YOUNG_MEBIBYTES_MAX = 48;

export interface ThreadOptions {
  /** The module of the worker: its default export takes an AttachTask. */
  readonly workerUrl: URL;
  readonly context: WorkerContext;
  /** The heap limit of a worker; a worker that exceeds it is terminated. */
  readonly heapMebibytesMax: number;
}

export interface WorkerThread {
  /** Resolves to why the worker has ended, or failed to start. */
  readonly ended: Promise<unknown>;
  /** Resolves when the thread no longer exists, which may be later. */
  readonly exited: Promise<void>;
  /** Ends the thread for this reason. */
  end(reason: Error): void;
}

/** Starts a thread for one task. The port is transferred. */
export function startThread(options: ThreadOptions, task: AttachTask): WorkerThread {
  const piscina = createPiscina(options);
  let run: Promise<void>;
  try {
    run = piscina.run(task, { transferList: [task.port] });
  } catch (cause) {
    // The system has no thread for it.
    return { ended: Promise.resolve(cause), exited: Promise.resolve(), end: () => undefined };
  }
  const [thread] = piscina.threads;
  invariant(thread, 'Piscina starts a thread for its first task');
  const exited = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
  let given: Error | undefined;
  // If the thread fails before it takes the task, Piscina keeps that in its queue.
  const ended = Promise.race([run, once(thread, 'exit')]).then(
    () => given ?? new Error('the worker has ended'),
    (cause: unknown) => given ?? cause,
  );
  void ended.then(() => piscina.destroy());
  return {
    ended,
    exited,
    end: (reason) => {
      given ??= reason;
      void piscina.destroy();
    },
  };
}

function createPiscina(options: ThreadOptions): Piscina<AttachTask, void> {
  const piscina = new Piscina<AttachTask, void>({
    filename: options.workerUrl.href,
    // The thread is started by the task, and is not replaced.
    minThreads: 0,
    maxThreads: 1,
    // The default would park an idle worker in Atomics.wait, with its sockets and timers.
    atomics: 'disabled',
    recordTiming: false,
    workerData: options.context,
    resourceLimits: {
      maxOldGenerationSizeMb: options.heapMebibytesMax,
      maxYoungGenerationSizeMb: YOUNG_MEBIBYTES_MAX,
    },
  });
  // An `error` event without a listener would end the process; `ended` reports the same error.
  piscina.on('error', () => undefined);
  return piscina;
}
