/**
 * Tells servers apart that one address leads to, such as the nodes of a cluster: each numbers its connections itself, so
 * that the number of a connection means another one elsewhere.
 */
import type { Connection as Client } from 'mariadb';

/** The SQL of a text that only connections to the same server share. */
export function identitySql({ info }: Client): string {
  const isMariadb = info?.serverVersion.mariaDb === true;
  return isMariadb ? "CONCAT_WS(':', @@hostname, @@port, @@server_id)" : '@@server_uuid';
}
