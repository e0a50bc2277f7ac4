/** The code of a failure of PostgreSQL for a request that it cannot fulfil. */
import pg from 'pg';
import { expect, test } from 'vitest';
import { postgresqlError } from '../../../src/workers/database/postgresql/errors.js';

test.each([
  // A text of more than a gigabyte.
  ['54000', 'text-too-long'],
  // Other limits of the server.
  ['54001', 'evaluation-failed'],
  ['54011', 'evaluation-failed'],
  ['22003', 'value-out-of-range'],
  ['22008', 'evaluation-failed'],
  ['22012', 'evaluation-failed'],
])('the SQL state %s is reported as %s', (sqlstate, code) => {
  const error = new pg.DatabaseError('why', 0, 'error');
  error.code = sqlstate;
  expect(postgresqlError(error)).toMatchObject({ code, sqlstate });
});
