/** Sends the requests of one turn of the event loop as one request. */
import type { CallOptions } from './options.js';
import type { Parts } from './request.js';

export type Gather = (made: Parts<unknown>, options: CallOptions) => Promise<unknown>;
