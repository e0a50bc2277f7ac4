/** Opens connections to PostgreSQL, with the session settings that values depend on. */
import type pg from 'pg';
import type { Connection } from '../../../engine/index.js';
import { serverLimitMs } from '../source-settings.js';
import { DivertedClient, limitConnecting, openStream } from './client.js';
import { clientOptions, type ConnectionLimits } from './options.js';

/** Connects a client. If both TLS and no TLS are possible, it tries the other after a refusal. */
export async function connectClient(
  connection: Connection,
  limits: ConnectionLimits,
): Promise<DivertedClient> {
  const [first, ...others] = clientOptions(connection);
  let attempt = connected(first, limits);
  for (const options of others) {
    attempt = attempt.catch((error: unknown) => {
      if (isRefusal(error)) return connected(options, limits);
      throw error;
    });
  }
  return attempt;
}

async function connected(
  options: pg.ClientConfig | undefined,
  { connectTimeoutMs, statementTimeoutMs }: ConnectionLimits,
): Promise<DivertedClient> {
  const client = new DivertedClient({ ...options, stream: openStream });
  // A lost connection rejects what waits for it. Without a listener, the thread would end.
  client.on('error', () => undefined);
  const stopLimit = connectTimeoutMs > 0 ? limitConnecting(client, connectTimeoutMs) : undefined;
  try {
    await client.connect();
    await settle(client, statementTimeoutMs);
    return client;
  } catch (error) {
    client.connection.stream.destroy();
    throw error;
  } finally {
    stopLimit?.();
  }
}

/** The SQLSTATE for a connection that pg_hba.conf does not allow, with or without TLS. */
const NO_ENTRY = '28000';

/** Whether the server refused TLS, or a connection without it. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = { code: '', ...error };
  return code === NO_ENTRY || /\b(SSL|TLS)\b/.test(error.message) || /SSL|TLS|CERT/.test(code);
}

/**
 * Sets what the startup message cannot. A pooler that assigns connections per transaction does not keep
 * these settings for a client, and other clients would inherit them, so the server's settings apply
 * there.
 */
async function settle(client: DivertedClient, statementTimeoutMs: number): Promise<void> {
  const settings = {
    IntervalStyle: 'iso_8601',
    extra_float_digits: 3,
    bytea_output: 'hex',
    array_nulls: 'on',
    xmloption: 'content',
    transform_null_equals: 'off',
    statement_timeout: serverLimitMs(statementTimeoutMs),
    // A transaction rests as long as the reader of its rows, and idle connections are closed by the pool.
    idle_in_transaction_session_timeout: 0,
    idle_session_timeout: 0,
    // Since PostgreSQL 17.
    transaction_timeout: 0,
  };
  const rows = Object.entries(settings).map(([name, value]) => `('${name}', '${value}')`);
  const isDirect = `pg_backend_pid() = ${client.serverProcess}`;
  const isKnown = 'current_setting(name, true) IS NOT NULL';
  await client.query(
    `SELECT set_config(name, value, false) FROM (VALUES ${rows.join(', ')}) AS s (name, value)
     WHERE ${isDirect} AND ${isKnown}`,
  );
  const other = Object.entries(expected).find(
    ([name, pattern]) => !pattern.test(client.parameters.get(name) ?? ''),
  );
  if (other) {
    const [name] = other;
    throw new Error(`The session's ${name} is '${client.parameters.get(name)}', and stays so.`);
  }
}

/** The settings that the server must have reported. */
const expected = {
  client_encoding: /^UTF-?8$/i,
  DateStyle: /^ISO\b/,
  TimeZone: /^UTC$/,
  standard_conforming_strings: /^on$/,
};
