/** A transaction as it is sent to a worker: its plans go along where the worker lacks them. */
import type { WorkerRequest } from '../../workers/protocol.js';
import type { Transaction } from './pending.js';

/** The message; the plans that it carries join those that are known. */
export function transactionMessage(
  id: number,
  { steps, ...order }: Transaction,
  knownPlans: Set<number>,
): WorkerRequest {
  const stepOrders = steps.map(({ entry: { planId, plan }, data }) => {
    if (knownPlans.has(planId)) return { planId, data };
    knownPlans.add(planId);
    return { planId, plan, data };
  });
  return { type: 'transaction', id, order: { ...order, steps: stepOrders } };
}
