/** The table of idempotency records in MySQL and MariaDB. */
import { IDEMPOTENCY_TABLE } from '../../../engine/index.js';
import type { IdempotencyStatements } from '../source.js';
import { plain } from '../statement.js';

const TABLE = IDEMPOTENCY_TABLE;
/** Records from this moment or before have expired. */
const END = 'NOW(6) - INTERVAL ? * 1000 MICROSECOND';
const hasExpired = `created_at <= ${END}`;

export const mysqlIdempotency: IdempotencyStatements = {
  // As bytes, so that keys are compared exactly, including trailing blanks.
  create: [
    plain(`CREATE TABLE IF NOT EXISTS ${TABLE} (
  \`key\` varbinary(255) PRIMARY KEY,
  fingerprint varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  answer longtext CHARACTER SET utf8mb4,
  created_at datetime(6) NOT NULL,
  INDEX ${TABLE}_created_at (created_at)
) ENGINE = InnoDB`),
  ],
  // Waits for a transaction that has claimed the key. A claimed key has no answer until its commit.
  // The assignments are evaluated in order.
  claim: (key, fingerprint, keepMs) => ({
    text: `INSERT INTO ${TABLE} (\`key\`, fingerprint, created_at) VALUES (?, ?, NOW(6))
ON DUPLICATE KEY UPDATE
fingerprint = IF(${hasExpired}, VALUES(fingerprint), fingerprint),
answer = IF(${hasExpired}, NULL, answer),
created_at = IF(${hasExpired}, VALUES(created_at), created_at)`,
    parameters: [key, fingerprint, String(keepMs), String(keepMs), String(keepMs)],
    types: ['string', 'string', 'integer', 'integer', 'integer'],
  }),
  find: (key) => plain(`SELECT fingerprint, answer FROM ${TABLE} WHERE \`key\` = ?`, [key]),
  keep: (key, answer) => plain(`UPDATE ${TABLE} SET answer = ? WHERE \`key\` = ?`, [answer, key]),
  lockExpired: (keepMs, rowsMax) => ({
    text: `SELECT \`key\` FROM ${TABLE} WHERE ${hasExpired}
ORDER BY created_at LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED`,
    parameters: [String(keepMs)],
    types: ['integer'],
  }),
  remove(keys) {
    // Few different texts, of which each is prepared.
    const size = 2 ** Math.ceil(Math.log2(keys.length));
    const parameters = Array.from({ length: size }, (_, at) => keys[at] ?? keys[0] ?? null);
    return plain(
      `DELETE FROM ${TABLE} WHERE \`key\` IN (${parameters.map(() => '?').join(', ')})`,
      parameters,
    );
  },
  missingTable: '42S02',
};
