/** Free ports for the servers of tests. */
import { once } from 'node:events';
import net from 'node:net';

/** A port of the loopback interface on which nothing listens. */
export async function freePort(): Promise<number> {
  const listener = net.createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  listener.close();
  await once(listener, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
