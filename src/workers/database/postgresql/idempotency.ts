/** The table of idempotency records in PostgreSQL. */
import { columnArrays, IDEMPOTENCY_TABLE } from '../../../engine/index.js';
import type { IdempotencyStatements } from '../source.js';
import { plain } from '../statement.js';

/**
 * Serializes concurrent attempts to create the table. Any number that other programs do not lock.
 */
const ADVISORY_LOCK = 0x726f776b;
const TABLE = IDEMPOTENCY_TABLE;
const END = (parameter: string): string => `now() - ${parameter}::float8 * interval '1 ms'`;

export const postgresqlIdempotency: IdempotencyStatements = {
  create: [
    plain(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`),
    plain(`CREATE TABLE IF NOT EXISTS ${TABLE} (
  key text PRIMARY KEY,
  fingerprint text NOT NULL,
  answer text,
  created_at timestamptz NOT NULL
)`),
    plain(`CREATE INDEX IF NOT EXISTS ${TABLE}_created_at ON ${TABLE} (created_at)`),
  ],
  // Waits for a transaction that has claimed the key. Claims an expired key again.
  claim: (key, fingerprint, keepMs) =>
    plain(
      `INSERT INTO ${TABLE} AS kept (key, fingerprint, created_at) VALUES ($1, $2, now())
ON CONFLICT (key) DO UPDATE
SET fingerprint = excluded.fingerprint, answer = NULL, created_at = excluded.created_at
WHERE kept.created_at <= ${END('$3')}
RETURNING key`,
      [key, fingerprint, String(keepMs)],
    ),
  find: (key) => plain(`SELECT fingerprint, answer FROM ${TABLE} WHERE key = $1`, [key]),
  keep: (key, answer) => plain(`UPDATE ${TABLE} SET answer = $2 WHERE key = $1`, [key, answer]),
  lockExpired: (keepMs, rowsMax) =>
    plain(
      `SELECT key FROM ${TABLE} WHERE created_at <= ${END('$1')}
ORDER BY created_at LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED`,
      [String(keepMs)],
    ),
  remove: (keys) =>
    plain(`DELETE FROM ${TABLE} WHERE key = ANY($1)`, columnArrays(keys.map((key) => [key]))),
  missingTable: '42P01',
};
