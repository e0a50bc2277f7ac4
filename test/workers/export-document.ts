/** Exports a stage in parts, without the gateway. */
import { createCancellation } from '../../src/workers/cancellation.js';
import { Answer } from '../../src/workers/execute/answer.js';
import type { WorkerReply } from '../../src/workers/protocol.js';
import { type ExportOrder, writeExport } from '../../src/workers/tasks/export-document.js';

/** The bytes that may wait to be written. */
const WINDOW_BYTES = 1 << 20;

export interface ExportToOrder extends Omit<ExportOrder, 'answer' | 'cancellation'> {
  /** Receives the document in parts; the next part comes after it has resolved. */
  readonly write: (bytes: Uint8Array) => Promise<void> | void;
}

/** Writes the whole document. Rejects with what `write` throws, or with a `SourceError`. */
export async function exportDocument(order: ExportToOrder): Promise<void> {
  const cancellation = createCancellation();
  let written: Promise<void> = Promise.resolve();
  const pass = (bytes: Uint8Array): void => {
    written = written.then(async () => {
      await order.write(bytes);
      answer.credit(bytes.byteLength);
    });
    written.catch(() => cancellation.cancel());
  };
  const send = (reply: WorkerReply): void => {
    if (reply.type === 'part') pass(reply.bytes);
  };
  const outlet = { send, sendWhole: (_: number, bytes: Uint8Array) => pass(bytes.slice()) };
  const answer: Answer = new Answer(0, outlet, WINDOW_BYTES);
  try {
    await writeExport({ ...order, answer, cancellation });
    answer.end();
  } finally {
    // The failure of `write` is the cause of any other failure.
    await written;
  }
}
