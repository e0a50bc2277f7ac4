/** The problems with which the dispatcher itself answers. */
import type { Problem } from '../../engine/index.js';

export const QUEUE_FULL: Problem = {
  code: 'queue-full',
  detail: 'Too many requests are waiting to be answered.',
};
export const WORKER_LOST: Problem = {
  code: 'worker-lost',
  detail: 'The worker that ran this request was lost; the request may be sent again.',
};
export const OUTCOME_UNKNOWN: Problem = {
  code: 'outcome-unknown',
  detail: 'The worker that ran this request has ended: whether the write took effect is unknown.',
};
export const DRAINING: Problem = { code: 'draining', detail: 'The service is stopping.' };
