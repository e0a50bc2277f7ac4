/** Writes with hooks: listeners that run in the transaction of the write. */
import { type DataValue, OutputBytes } from '../../engine/index.js';
import type { Context } from '../context.js';
import { decodeText } from '../decode-text.js';
import { parseAnswer } from '../parse-data.js';
import type { DeferredWrite } from './deferred-writes.js';
import { type HookedRequest, listenersOf, runHooks } from './hooks.js';
import {
  type PreparedWrite,
  prepareWrite,
  type WriteAnswer,
  type WriteOrder,
} from './prepare-write.js';
import { uncommitted } from './write-rows.js';

export interface WriteWithHooks {
  readonly prepared: PreparedWrite;
  /** The writes of listeners that run after the commit, from the last run. */
  readonly deferred: readonly DeferredWrite[];
}

const FIRST_BYTES = 1024;
const none: readonly DeferredWrite[] = [];

/** Reads and checks the data; running it runs the hooks, too. Throws an `EngineError`. */
export function prepareWithHooks(context: Context, order: WriteOrder): WriteWithHooks {
  const prepared = prepareWrite(context, order);
  const listeners = listenersOf(context, order.ready.plan);
  if (listeners.length === 0 || prepared.isEmpty) return { prepared, deferred: none };
  const request = requestOf(order);
  const deferred: DeferredWrite[] = [];
  const run: PreparedWrite['run'] = async (runWrites) => {
    deferred.length = 0;
    const own = uncommitted(runWrites);
    const hooks = { listeners, request, deferred, runWrites: own };
    await runHooks(context, { ...hooks, phase: 'before' });
    const answer = await prepared.run(own);
    const result = listeners.some((each) => each.asksResult) ? resultOf(answer) : null;
    await runHooks(context, { ...hooks, phase: 'after', more: { result } });
    await runWrites([], true, request.plan.root);
    return answer;
  };
  return { prepared: { isEmpty: false, run }, deferred };
}

/** The request as listeners see it. */
export function requestOf({ ready, data, instant }: WriteOrder): HookedRequest {
  return { plan: ready.plan, data, instant };
}

/** The answer as data: an object, a list of objects, or the number of rows. */
function resultOf(writeAnswer: WriteAnswer): DataValue {
  const out = new OutputBytes(FIRST_BYTES);
  writeAnswer({ out, written: () => undefined }, 'compact');
  return parseAnswer(decodeText(out.bytes, 0, out.length));
}
