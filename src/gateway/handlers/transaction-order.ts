/** Makes the message of a transaction from its request and the plans of its steps. */
import type { RowsForm } from '../../engine/index.js';
import type { Call } from '../call.js';
import type { Transaction } from '../dispatcher/pending.js';
import { fingerprintOf, ownKey, readIdempotencyKey } from '../idempotency-key.js';
import type { PlanEntry } from '../plan-cache.js';
import type { TransactionRequest } from '../transaction-request.js';

/** Set for a single query; `index`: its place in a list of queries. */
export interface Single {
  readonly index: number | undefined;
}

/** The transaction of these steps. Throws a `Refusal` if the idempotency key is invalid. */
export function transactionOf(
  call: Call,
  form: RowsForm,
  entries: readonly PlanEntry[],
  { steps: requests, isolation, readOnly }: TransactionRequest,
  single?: Single,
): Transaction {
  const steps = entries.map((entry, index) => ({ entry, data: requests[index]?.data }));
  const writes = !readOnly && steps.some(({ entry }) => entry.plan.root.write);
  const given = readIdempotencyKey(writes ? call.exchange.headers['idempotency-key'] : '');
  const { method, path } = call.exchange;
  const { settings, limits } = call.principal ?? {};
  const comment = call.sqlComment;
  const requestKey = given !== undefined && {
    key: keyOf(ownKey(given, call.principal), single?.index),
    fingerprint: fingerprintOf([
      method,
      path,
      requests.map(({ key: { expression, stage, view }, data }) => [expression, data, stage, view]),
      isolation,
      // A stored answer must have the format that the client asks for now.
      form === 'lines',
    ]),
  };
  return {
    steps,
    readOnly,
    isSingle: single !== undefined,
    form,
    ...(isolation && { isolation }),
    ...(requestKey && { requestKey }),
    ...(settings && { settings }),
    ...(limits && { limits }),
    ...(call.stopwatch && { isTimed: true }),
    ...(comment !== undefined && { comment }),
  };
}

/** The queries of a list share the key that was sent, so each of them needs its own. */
function keyOf(key: string, index: number | undefined): string {
  return index === undefined ? key : fingerprintOf([key, index]);
}
