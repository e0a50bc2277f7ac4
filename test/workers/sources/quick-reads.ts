/** A source on the embedded server, and short reads of it whose ends are awaited. */
import type { Connection } from '../../../src/engine/index.js';
import { createCancellation } from '../../../src/workers/cancellation.js';
import { PostgresqlSource } from '../../../src/workers/database/postgresql/source.js';
import type { QuickRun } from '../../../src/workers/database/source.js';
import type { SourceSettings } from '../../../src/workers/database/source-settings.js';

export interface Ended {
  readonly rows: readonly (readonly (string | null)[])[];
  readonly error: unknown;
}

export interface Started {
  readonly run: QuickRun;
  readonly ended: Promise<Ended>;
}

const settings: SourceSettings = {
  connectionsPerSource: 1,
  connectTimeoutMs: 5000,
  connectionWaitMs: 20_000,
  preparedStatements: true,
  statementTimeoutMs: 20_000,
};

/** Runs `work` with a source, and closes that. */
export async function withSource<Result>(
  connection: Connection,
  changes: Partial<SourceSettings>,
  work: (source: PostgresqlSource) => Promise<Result>,
): Promise<Result> {
  const source = new PostgresqlSource(
    { name: 'source', dialect: 'PostgreSQL', mapping: 'mapping', connection },
    { ...settings, ...changes },
  );
  try {
    return await work(source);
  } finally {
    await source.close();
  }
}

/** Runs statements on a session, which prepares them on its connection. */
export async function prepare(
  source: PostgresqlSource,
  ...statements: readonly (readonly [text: string, ...parameters: string[]])[]
): Promise<void> {
  const session = await source.openSession(createCancellation());
  try {
    for (const [text, ...parameters] of statements) {
      await session.stream({ text, parameters }, 0, () => undefined);
    }
  } finally {
    session.release();
  }
}

/** Starts a short read; undefined: there is no connection at hand. */
export function tryRead(
  source: PostgresqlSource,
  text: string,
  parameters: readonly (string | null)[] = [],
  keepsRows = false,
): Started | undefined {
  const rows: (readonly (string | null)[])[] = [];
  const kept: (readonly [Buffer, number])[] = [];
  let resolve: (ended: Ended) => void = () => undefined;
  const ended = new Promise<Ended>((settle) => {
    resolve = settle;
  });
  const row = (bytes: Buffer, start: number): void => {
    if (keepsRows) kept.push([bytes, start]);
    else rows.push(fieldsOf(bytes, start));
  };
  const end = (error?: unknown): void => {
    rows.push(...kept.map(([bytes, start]) => fieldsOf(bytes, start)));
    resolve({ rows, error });
  };
  const run = source.tryRead({ text, parameters }, 0, { keepsRows, row, end });
  return run && { run, ended };
}

/** The same, where there must be one. */
export function read(
  source: PostgresqlSource,
  text: string,
  parameters: readonly (string | null)[] = [],
  keepsRows = false,
): Started {
  const started = tryRead(source, text, parameters, keepsRows);
  if (!started) throw new Error(`there is no connection for ${text}`);
  return started;
}

function fieldsOf(bytes: Buffer, start: number): (string | null)[] {
  let at = start + 2;
  return Array.from({ length: bytes.readInt16BE(start) }, () => {
    const length = bytes.readInt32BE(at);
    at += 4 + Math.max(0, length);
    return length < 0 ? null : bytes.toString('utf8', at - length, at);
  });
}
