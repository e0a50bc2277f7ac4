/** Checks whether the sources of a stage answer, or whether their tables exist. */
import { dialectOf, quoteTable, storedMapping, type Schema } from '../../engine/index.js';
import { createCancellation } from '../cancellation.js';
import type { Context } from '../context.js';
import { SourceError } from '../database/source-error.js';
import type { Readiness, Source } from '../database/source.js';
import { plain, stepOf } from '../database/statement.js';
import { reportOf } from '../problems.js';
import type { Probed, SourceState } from '../protocol.js';
import { stageSources } from '../stage-sources.js';

const PING_MS = 1500;

/** Asks all sources at the same time. Rejects if tables cannot be looked for. */
export async function probe(context: Context, stage: string | undefined): Promise<Probed> {
  const { catalog, schema, sources } = context;
  const asked =
    stage === undefined
      ? sources.all
      : stageSources(catalog, stage).map((name) => sources.get(name));
  const states = await Promise.all(
    asked.map((source) =>
      stage === undefined ? source.ping(PING_MS) : withTables(schema, source),
    ),
  );
  const probed = asked.map((source, index) => stateOf(source, states[index] ?? 'away'));
  return {
    ok: !states.includes('away'),
    readOnly: probed.filter(({ state }) => state === 'read-only').map(({ name }) => name),
    sources: probed,
  };
}

const SILENT = 'The database did not answer in time.';

function stateOf({ name, fault, pool }: Source, state: Readiness): SourceState {
  if (state !== 'away') return { name, state };
  if (fault) return { name, state, cause: fault.message, reason: reportOf(fault) };
  const { inUse, max } = pool.use;
  // There was no connection on which to ask.
  if (inUse >= max) return { name, state };
  return { name, state, cause: SILENT };
}

async function withTables(schema: Schema, source: Source): Promise<Readiness> {
  const declared = schema.sources.find((each) => each.name === source.name);
  const kept = declared ? storedMapping(schema, declared).entities : [];
  const dialect = dialectOf(source.dialect);
  const steps = kept.map(({ mapping }) =>
    stepOf(plain(`SELECT 1 FROM ${quoteTable(dialect, mapping)} LIMIT 0`)),
  );
  try {
    await source.withLease(createCancellation(), {}, (lease) => lease.run(steps));
    return 'ready';
  } catch (error) {
    if (error instanceof SourceError && error.code === 'schema-mismatch') return 'away';
    throw error;
  }
}
