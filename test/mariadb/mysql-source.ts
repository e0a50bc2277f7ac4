/** A source on the MariaDB of a test, without a worker, and runs on its connections. */
import { createCancellation } from '../../src/workers/cancellation.js';
import type { RowBytes } from '../../src/engine/index.js';
import type { Connection } from '../../src/workers/database/connection.js';
import type { Lease } from '../../src/workers/database/lease.js';
import type { SourceSettings } from '../../src/workers/database/source-settings.js';
import { type LeaseOptions, Source } from '../../src/workers/database/source.js';
import { fieldsOf, type Statement, type Step } from '../../src/workers/database/statement.js';
import type { MariadbServer } from '../support/mariadb.js';
import { driverOf } from '../support/drivers.js';

type Row = readonly (string | null)[];

const settings: SourceSettings = {
  connectionsPerSource: 2,
  connectTimeoutMs: 5000,
  connectionWaitMs: 300,
  statementTimeoutMs: 5000,
  preparedStatements: true,
};

export function mysqlSource(
  connection: MariadbServer & { readonly database: string },
  changes: Partial<SourceSettings> = {},
): Source {
  const declared = { name: 'x', dialect: 'MariaDB', mapping: 'x', connection } as const;
  const all = { ...settings, ...changes };
  return new Source(declared, driverOf(declared, all), all);
}

/** Holds a connection of the source while `work` runs. */
export async function onLease<Result>(
  source: Source,
  work: (lease: Lease) => Promise<Result>,
  options: LeaseOptions = {},
): Promise<Result> {
  const lease = await source.lease(createCancellation(), options);
  try {
    return await work(lease);
  } finally {
    lease.release();
  }
}

/** A shared connection of a separate source. */
export async function withConnection(
  connection: MariadbServer & { readonly database: string },
  work: (connection: Connection) => Promise<void>,
  changes: Partial<SourceSettings> = {},
): Promise<void> {
  const source = mysqlSource(connection, changes);
  try {
    const own = await source.pool.take(createCancellation());
    await work(own).finally(() => source.pool.give(own, true));
  } finally {
    await source.close();
  }
}

/** A run with its rows, and its end. */
export interface Sent {
  readonly steps: readonly Step[];
  readonly isCommit: boolean;
  readonly rows: Row[][];
  readonly ended: Promise<Row[][]>;
  end(error: unknown): void;
}

/** A run of statements that collects its rows, to which `ended` resolves. */
export function runOf(statements: readonly Statement[], isCommit = false): Sent {
  const rows: Row[][] = statements.map(() => []);
  const steps = statements.map((statement, index): Step => {
    const row = (bytes: Buffer, start: number): void => {
      rows[index]?.push(fieldsOf(bytes, start));
    };
    return { statement, rowsMax: 0, sink: { row } };
  });
  let end: (error: unknown) => void = () => undefined;
  const ended = new Promise<Row[][]>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve(rows) : reject(error));
  });
  ended.catch(() => undefined);
  return { steps, isCommit, rows, ended, end: (error) => end(error) };
}

/** Sends runs of one statement each, in a single flush. */
export function sendAll(connection: Connection, statements: readonly Statement[]): readonly Sent[] {
  const runs = statements.map((statement) => runOf([statement]));
  for (const run of runs) connection.send(run);
  connection.flush();
  return runs;
}

/** The first field of each row. */
export function column(rows: RowBytes): readonly string[] {
  return rows.buffers.map(({ buffer, byteOffset, length }, row) => {
    const bytes = Buffer.from(buffer, byteOffset, length);
    return fieldsOf(bytes, rows.starts[row] ?? 0)[0] ?? '';
  });
}

export function sql(text: string, ...parameters: readonly (string | null)[]): Statement {
  return { text, parameters };
}
