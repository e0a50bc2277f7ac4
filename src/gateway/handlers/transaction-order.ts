/** Makes the message of a transaction from its request and the plans of its steps. */
import { hash } from 'node:crypto';
import type { RowsForm } from '../../engine/index.js';
import type { Principal } from '../access/principal.js';
import type { Call } from '../call.js';
import type { Transaction } from '../dispatcher/pending.js';
import { Refusal } from '../errors.js';
import type { PlanEntry } from '../plan-cache.js';
import type { TransactionRequest } from '../transaction-request.js';

/**
 * The transaction of these steps. Throws a `Refusal` if the idempotency key is invalid. `single` is set for a single
 * query; `index`: its place in a list of queries.
 */
export function transactionOf(
  call: Call,
  form: RowsForm,
  entries: readonly PlanEntry[],
  { steps: requests, isolation, readOnly }: TransactionRequest,
  single?: { readonly index: number | undefined },
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

const KEY = /^(?! *$)[\x20-\x7e]{1,255}$/;

/** The key of an `Idempotency-Key` header; undefined when the header is empty. */
function readIdempotencyKey(header: string): string | undefined {
  if (header === '' || KEY.test(header)) return header || undefined;
  const detail = 'An idempotency key must have 1 to 255 printable ASCII characters.';
  throw new Refusal('idempotency-key-invalid', detail);
}

/** The key under which an answer is stored: different senders may choose the same key. */
function ownKey(key: string, principal: Principal | undefined): string {
  return principal ? fingerprintOf([principal.identity, key]) : key;
}

/** The hash of a request's content, whatever its layout. Bytes are hashed as they are. */
function fingerprintOf(request: readonly unknown[]): string {
  const text = JSON.stringify(request, (_, value: unknown) =>
    value instanceof Uint8Array ? hash('sha256', value, 'base64url') : value,
  );
  return hash('sha256', text, 'base64url');
}
