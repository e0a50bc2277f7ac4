import { expect, test } from 'vitest';
import { mysqlError, ServerFault } from '../../src/workers/database/mysql/errors.js';
import { isUncertain } from '../../src/workers/database/mysql/uncertain.js';

/**
 * The messages of the server for a request that it cannot fulfil, with an SQL state that says nothing.
 */
test.each([
  [1020, 'HY000', 'serialization-failure'],
  [1021, 'HY000', 'source-unavailable'],
  [1037, 'HY001', 'source-unavailable'],
  [1038, 'HY001', 'refused-by-database'],
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
  [1180, 'HY000', 'refused-by-database'],
  [1197, 'HY000', 'refused-by-database'],
  [1206, 'HY000', 'refused-by-database'],
  [1598, 'HY000', 'refused-by-database'],
  [1705, 'HY000', 'refused-by-database'],
  [1785, 'HY000', 'refused-by-database'],
  [1786, 'HY000', 'refused-by-database'],
  [3098, 'HY000', 'refused-by-database'],
  [3100, 'HY000', 'refused-by-database'],
])('error %i (%s) is not reported as an internal error', (errno, state, code) => {
  expect(mysqlError(new ServerFault(errno, state, 'why'))).toMatchObject({ code });
});

test.each([2002, 2003, 2006, 2013, 2014, 2026, 2027, 2055, 9001, 9002, 9004, 9005, 9007, 9501])(
  'error %i of a proxy says that it has no server',
  (errno) => {
    const error = mysqlError(new ServerFault(errno, 'HY000', 'why'));
    expect(error).toMatchObject({ code: 'source-unavailable' });
  },
);

test.each([9003, 9006])('error %i of a proxy is a refusal', (errno) => {
  const error = mysqlError(new ServerFault(errno, 'HY000', 'why'));
  expect(error).toMatchObject({ code: 'refused-by-database' });
});

test.each([
  [1180, 'Got error 149 "Lock deadlock; Retry transaction" during COMMIT', 'serialization-failure'],
  [
    1180,
    "Got error 149 - 'Lock deadlock; Retry transaction' during COMMIT",
    'serialization-failure',
  ],
  [1030, 'Got error 28 "No space left on device" from storage engine MyISAM', 'source-unavailable'],
  [1030, 'Got error 127 "Record file is crashed" from storage engine MyISAM', 'internal'],
  [
    1026,
    'Error writing file \'/tmp/x\' (errno: 28 "No space left on device")',
    'source-unavailable',
  ],
  [
    3,
    'Error writing file \'/tmp/x\' (Errcode: 28 "No space left on device")',
    'source-unavailable',
  ],
  [201, 'Local temporary space limit reached', 'refused-by-database'],
  [200, 'Global temporary space limit reached', 'source-unavailable'],
  [
    1290,
    'The MariaDB server is running with the --max-session-mem-used=8192 option so it cannot execute this statement',
    'refused-by-database',
  ],
  [
    1290,
    'The MariaDB server is running with the --read-only option so it cannot execute this statement',
    'write-in-read-only',
  ],
])('error %i is told apart by its message: %s', (errno, message, code) => {
  expect(mysqlError(new ServerFault(errno, 'HY000', message))).toMatchObject({ code });
});

test.each([
  [167, '22003', "Out of range value for column 'id' at row 1"],
  [1467, 'HY000', 'Failed to read auto-increment value from storage engine'],
  [4084, 'HY000', "Sequence 'shop.s' has run out"],
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

test('an error that a trigger raises with the number of a proxy leaves nothing uncertain', () => {
  expect(isUncertain(new ServerFault(9004, 'HY000', 'why'))).toBe(true);
  expect(isUncertain(new ServerFault(9004, '45000', 'why'))).toBe(false);
});
