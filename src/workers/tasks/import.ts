/** Imports the document that follows a request, and replies with what was stored. */
import { ImportError } from '../../engine/index.js';
import type { Context } from '../context.js';
import type { Cancellation } from '../cancellation.js';
import { importDocument } from '../import/import-document.js';
import type { WorkerReply } from '../protocol.js';

export interface ImportTask {
  readonly id: number;
  readonly stage: string;
  readonly view: string;
  readonly body: AsyncIterable<Uint8Array>;
  readonly cancellation: Cancellation;
}

/** A document that is refused is a reply, too; any other failure rejects. */
export async function importStage(context: Context, task: ImportTask): Promise<WorkerReply> {
  const { id, stage, view, body, cancellation } = task;
  const { catalog, sources } = context;
  try {
    const counts = await importDocument({ catalog, stage, view, sources, body, cancellation });
    return { type: 'imported', id, counts };
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    return { type: 'failed', id, problem: error.problem };
  }
}
