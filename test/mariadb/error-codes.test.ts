import { expect, test } from 'vitest';
import { mysqlError, ServerFault } from '../../src/workers/database/mysql/errors.js';

/**
 * The messages of the server for a request that it cannot fulfil, with an SQL state that says nothing.
 */
test.each([
  [1020, 'HY000', 'serialization-failure'],
  [1021, 'HY000', 'source-unavailable'],
  [1040, '08004', 'source-unavailable'],
  [1047, '08S01', 'source-unavailable'],
  [1114, 'HY000', 'source-unavailable'],
  [1203, '42000', 'source-unavailable'],
  [1226, '42000', 'source-unavailable'],
  [1235, '42000', 'refused-by-database'],
  [1265, '01000', 'evaluation-failed'],
  [1267, 'HY000', 'evaluation-failed'],
  [1270, 'HY000', 'evaluation-failed'],
  [1271, 'HY000', 'evaluation-failed'],
  [1525, 'HY000', 'evaluation-failed'],
  [1153, '08S01', 'text-too-long'],
  [1301, 'HY000', 'text-too-long'],
  [1290, 'HY000', 'write-in-read-only'],
  [1792, '25006', 'write-in-read-only'],
  [1836, 'HY000', 'write-in-read-only'],
])('error %i (%s) is not reported as an internal error', (errno, state, code) => {
  expect(mysqlError(new ServerFault(errno, state, 'why'))).toMatchObject({ code });
});

test.each([
  [167, '22003', "Out of range value for column 'id' at row 1"],
  [1467, 'HY000', 'Failed to read auto-increment value from storage engine'],
])('error %i (%s) says that no number can be generated', (errno, state, message) => {
  const error = mysqlError(new ServerFault(errno, state, message));
  expect(error).toMatchObject({ code: 'value-out-of-range' });
  expect(error.message).toContain('no more numbers for a generated key');
});

test.each([
  [1292, '22007', "Incorrect datetime value: '10000-01-01 00:00:00' for column 'at' at row 1"],
  [1525, 'HY000', "Incorrect DATE value: '10000-01-01'"],
])('error %i (%s) for a date is a value out of range', (errno, state, message) => {
  const error = mysqlError(new ServerFault(errno, state, message));
  expect(error).toMatchObject({ code: 'value-out-of-range' });
});

test.each([
  [
    3988,
    'Conversion from collation utf8mb4_bin into latin1_swedish_ci impossible for parameter',
    'latin1',
  ],
  [3988, 'Conversion from collation utf8mb4_bin into binary impossible for parameter', 'binary'],
  [3854, "Cannot convert string '%\\xF0\\x9F\\x98\\x80%' from utf8mb4 to utf8mb3", 'utf8mb3'],
])('error %i names the character set that lacks characters: %s', (errno, message, name) => {
  const error = mysqlError(new ServerFault(errno, 'HY000', message));
  expect(error).toMatchObject({ code: 'evaluation-failed' });
  expect(error.message).toBe(
    `A string has characters that the character set of a column (${name}) lacks.`,
  );
});
