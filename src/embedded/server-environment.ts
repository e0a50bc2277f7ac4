/**
 * The complete environment of the server and of initdb. Nothing is inherited, because a stray LC_*,
 * PGDATA or TZ would change their behaviour, and an unknown locale would prevent their start.
 */
export const SERVER_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};
