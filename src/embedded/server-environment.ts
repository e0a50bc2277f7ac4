/**
 * The whole environment of the server and of initdb. Nothing is inherited: a stray LC_*, PGDATA or
 * TZ changes what they do, and an unknown locale stops them.
 */
export const SERVER_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};
