/** The options of TLS with which the connector checks the certificate before it sends the password. */
import type { Tls } from '../../../engine/index.js';

/**
 * The certificate must be trusted by Node.js or by `ca`, and name the server: `host`, unless `servername` is given.
 *
 * With `ssl: true`, the connector would answer any server that calls itself MariaDB 11.4 with a hash of the password,
 * and check a self-signed certificate only by what the server makes of that hash. An attacker could try passwords on it.
 */
export function tlsOptions(ssl: true | Tls, host: string | undefined): Tls {
  const { ca, ...members } = ssl === true ? ({} as Tls) : ssl;
  // Node.js does not know the host of a socket that is already connected to an address.
  const options = { ...(host !== undefined && { host }), ...members };
  if (ca) return { ...options, ca };
  // The connector trusts no other server if there is a `ca`. It copies the members that can be enumerated for Node.js,
  // which therefore uses its own authorities.
  Object.defineProperty(options, 'ca', { value: 'the authorities of Node.js' });
  return options;
}
