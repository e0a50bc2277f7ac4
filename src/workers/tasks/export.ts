/** Exports a stage as the answer to a request. */
import type { Context } from '../context.js';
import type { Answer } from '../execute/answer.js';
import type { Cancellation } from '../cancellation.js';
import type { DocumentFormat } from '../protocol.js';
import { writeExport } from './export-document.js';

export interface ExportTask {
  readonly stage: string;
  readonly view: string;
  readonly format: DocumentFormat;
  readonly answer: Answer;
  readonly cancellation: Cancellation;
}

/** Writes the whole document, without ending the answer. */
export async function exportStage(context: Context, task: ExportTask): Promise<undefined> {
  const { stage, view, format, answer, cancellation } = task;
  const { catalog, sources } = context;
  const { pretty } = format;
  await writeExport({ catalog, stage, view, sources, pretty, answer, cancellation });
}
