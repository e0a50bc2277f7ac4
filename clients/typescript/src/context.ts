/** What the requests of a client share. */
import type { ModelField } from './json.js';
import type { ClientOptions } from './options.js';
import type { Gather } from './gather.js';

export interface Context {
  readonly options: ClientOptions;
  readonly isExact: boolean;
  /** The columns of queries by the key and the request for them, for exact numbers. */
  readonly models: Map<string, Promise<readonly ModelField[]>>;
  /** Sends a request together with others of the same event-loop iteration. */
  readonly gather: Gather | undefined;
}
