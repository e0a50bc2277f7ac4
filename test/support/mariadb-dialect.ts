/** The dialect of the suites for MariaDB. */

/** `ROWGATE_TEST_MARIADB_URL` may name a MySQL server if `ROWGATE_TEST_MARIADB_DIALECT` is `MySQL`. */
export const mariadbDialect =
  process.env['ROWGATE_TEST_MARIADB_DIALECT'] === 'MySQL' ? 'MySQL' : 'MariaDB';
