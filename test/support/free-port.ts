/** Ports for servers of tests. */
import { once } from 'node:events';
import net from 'node:net';

/** A port of loopback that nothing listens on. */
export async function freePort(): Promise<number> {
  const listener = net.createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  listener.close();
  await once(listener, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
