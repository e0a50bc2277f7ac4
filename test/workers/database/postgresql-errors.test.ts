/** The code of a failure of PostgreSQL for a request that it cannot fulfil. */
import pg from 'pg';
import { expect, test } from 'vitest';
import { postgresqlError } from '../../../src/workers/database/postgresql/errors.js';

function failed(sqlstate: string) {
  const error = new pg.DatabaseError('why', 0, 'error');
  error.code = sqlstate;
  return postgresqlError(error);
}

test.each([
  // A text of more than a gigabyte.
  ['54000', 'text-too-long'],
  // Other limits of the server.
  ['54001', 'evaluation-failed'],
  ['54011', 'evaluation-failed'],
  ['22003', 'value-out-of-range'],
  ['22008', 'value-out-of-range'],
  ['22012', 'evaluation-failed'],
])('the SQL state %s is reported as %s', (sqlstate, code) => {
  expect(failed(sqlstate)).toMatchObject({ code, sqlstate });
});

test('a date that the database cannot store is reported as one', () => {
  const message = 'A date is outside the range that the database can store.';
  expect(failed('22008')).toMatchObject({ message });
});

// The server has no room on its disk, no memory, or no connection left, or it has ended a long transaction.
test.each([
  ['25P03', 'The database cannot be reached, or the connection was lost.'],
  ['25P04', 'The database cannot be reached, or the connection was lost.'],
  ['53100', 'The database cannot be reached, or the connection was lost.'],
  ['53200', 'The database cannot be reached, or the connection was lost.'],
  ['53300', 'The database cannot be reached: it has no connection left.'],
])('the SQL state %s means that the source is unavailable', (sqlstate, message) => {
  expect(failed(sqlstate)).toMatchObject({ code: 'source-unavailable', sqlstate, message });
});
