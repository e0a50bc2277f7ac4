/** The driver for PostgreSQL databases. */
import type { Source } from '../../../engine/index.js';
import {
  type Connection,
  failureOf,
  isolationNames,
  type TransactionDialect,
  type TransactionMode,
} from '../connection.js';
import type { Lease } from '../lease.js';
import { readTexts } from '../read-texts.js';
import type { Driver, ParameterTypes, Readiness } from '../source.js';
import type { SourceSettings } from '../source-settings.js';
import { fieldsOf, noRows, plain, type Statement } from '../statement.js';
import { connectClient } from './connect.js';
import { PostgresqlConnection } from './connection.js';
import { postgresqlError } from './errors.js';
import { explainWrite } from './explain.js';
import { postgresqlIdempotency } from './idempotency.js';

export { connectTables } from './tables.js';

export function driverOf(source: Source, settings: SourceSettings): Driver {
  const { preparedStatements } = settings;
  return {
    idempotency: postgresqlIdempotency,
    ...(preparedStatements && { describeParameters }),
    transactions,
    mergesWrites,
    explain: explainWrite,
    endsLong: false,
    connect: async () =>
      new PostgresqlConnection(
        await connectClient(source.connection, settings),
        preparedStatements,
      ),
    errorOf: postgresqlError,
    readiness,
  };
}

const transactions: TransactionDialect = {
  failsRunsWhole: true,
  begin: (mode) => [beginText(mode)],
};

function beginText(mode: TransactionMode | undefined): string {
  if (!mode) return 'BEGIN';
  const { isolation, readOnly } = mode;
  const level = isolation ? ` ISOLATION LEVEL ${isolationNames[isolation]}` : '';
  return `BEGIN${level}${readOnly ? ' READ ONLY' : ''}`;
}

/** Whether the database is ready. On a standby, every transaction is read-only. */
async function readiness(connection: Connection): Promise<Readiness> {
  let isReadOnly = false;
  const row = (bytes: Buffer, start: number): void => {
    isReadOnly = fieldsOf(bytes, start)[0] === 'on';
  };
  const statement = plain('SHOW transaction_read_only');
  const failure = await failureOf(connection, [statement], { row });
  if (failure !== undefined) return 'away';
  return isReadOnly ? 'read-only' : 'ready';
}

// With a modifier of -1, the name has no length. `character` alone would mean `character(1)`.
const ASK = `SELECT format_type(type, -1),
  EXISTS (SELECT FROM pg_collation WHERE NOT collisdeterministic)
FROM pg_prepared_statements, unnest(parameter_types) WITH ORDINALITY AS types(type, place)
WHERE statement = $1 ORDER BY place`;

/** Asks which types the placeholders have. The statement is prepared for this purpose, and executed with nulls. */
async function describeParameters(lease: Lease, statement: Statement): Promise<ParameterTypes> {
  const parameters = statement.parameters.map(() => null);
  await lease.stream({ text: statement.text, parameters }, 1, noRows);
  const rows = await readTexts(lease, plain(ASK, [statement.text]));
  return { types: rows.map(([type]) => type ?? ''), hasLooseCollation: rows[0]?.[1] === 't' };
}

/**
 * Counts the triggers that run once for a statement. A view has those of its tables. The bits of `tgtype` are 1 (each row), 4 (INSERT), 8 (DELETE) and 16 (UPDATE).
 */
const TRIGGERS = `WITH RECURSIVE written(oid) AS (SELECT to_regclass($1)::oid
UNION SELECT refobjid FROM written JOIN pg_rewrite ON ev_class = written.oid
JOIN pg_depend ON classid = 'pg_rewrite'::regclass AND objid = pg_rewrite.oid AND refclassid = 'pg_class'::regclass)
SELECT count(*) FROM written JOIN pg_trigger ON tgrelid = written.oid
WHERE NOT tgisinternal AND tgtype & 1 = 0 AND tgtype & 28 > 0`;

/** Whether writes to the table, given as SQL, can share a statement. With such a trigger, each needs its own. */
async function mergesWrites(lease: Lease, table: string): Promise<boolean> {
  const [found] = await readTexts(lease, plain(TRIGGERS, [table]));
  return found?.[0] === '0';
}
