/** Imports the rows of the sample domain. */
import { sampleDocument } from '../embedded/sample-rows.js';
import { dialectOf, quoteTable, invariant, type Schema } from '../engine/index.js';
import type { Configuration } from '../gateway/config.js';
import { workerContext } from '../gateway/service.js';
import { createCancellation } from '../workers/cancellation.js';
import { type Context, openContext } from '../workers/context.js';
import { importDocument } from '../workers/import/import-document.js';

/** How many characters of the document are imported at a time. */
const PIECE_LENGTH = 64 * 1024;

/** Imports the sample rows unless one of the tables has rows. Resolves to the number of stored rows. */
export async function importSample(
  schema: Schema,
  configuration: Configuration,
  scale: number,
): Promise<number> {
  const context = await openContext(workerContext(configuration, schema));
  try {
    if (await hasRows(context)) return 0;
    const { defaultStage: stage, defaultView: view } = context.catalog;
    const body = pieces(sampleDocument(scale));
    const { counts } = await importDocument({ context, stage, view, strict: true, body });
    return counts.reduce((sum, { rows }) => sum + rows, 0);
  } finally {
    await Promise.all(context.sources.all.map((source) => source.close()));
  }
}

/** Whether the table of an entity has rows. */
async function hasRows({ schema, sources }: Context): Promise<boolean> {
  const [source] = sources.all;
  invariant(source && schema.mappings[0], 'the sample has a source and a mapping');
  const tables = schema.mappings[0].entities.map(({ mapping }) => mapping);
  const dialect = dialectOf(source.dialect);
  const found = tables.map((table) => `EXISTS (SELECT 1 FROM ${quoteTable(dialect, table)})`);
  const text = `SELECT 1 WHERE ${found.join(' OR ')}`;
  const rows = await source.withLease(createCancellation(), {}, (lease) =>
    lease.fetch({ text, parameters: [] }),
  );
  return rows.length > 0;
}

async function* pieces(texts: Iterable<string>): AsyncGenerator<Uint8Array> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE_LENGTH) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  yield Buffer.from(piece);
}
