/** The dialect of the suites for MariaDB. */

/** They run on MySQL if `ROWGATE_TEST_MARIADB_URL` begins with `mysql:`. */
export const mariadbDialect = process.env['ROWGATE_TEST_MARIADB_URL']?.startsWith('mysql:')
  ? 'MySQL'
  : 'MariaDB';
