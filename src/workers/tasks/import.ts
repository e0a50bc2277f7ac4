/** Imports the document that follows a request, and replies with what was stored. */
import type { Context } from '../context.js';
import type { Cancellation } from '../cancellation.js';
import { importDocument } from '../import/import-document.js';
import type { WorkerReply } from '../protocol.js';

export interface ImportTask {
  readonly id: number;
  readonly stage: string;
  readonly view: string;
  readonly strict: boolean;
  readonly body: AsyncIterable<Uint8Array>;
  readonly cancellation: Cancellation;
}

/** Rejects with an `EngineError` or a `SourceError`; then nothing is stored. */
export async function importStage(context: Context, task: ImportTask): Promise<WorkerReply> {
  const { id, strict: isStrict, ...order } = task;
  const { counts, ignored } = await importDocument({ context, isStrict, ...order });
  return { type: 'imported', id, counts, ignored };
}
