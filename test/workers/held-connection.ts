/** A proxy to PostgreSQL in which a cancel request can overtake its statement. */
import { once } from 'node:events';
import net from 'node:net';
import type { EmbeddedConnection } from '../../src/embedded/start-embedded.js';

const CANCEL_CODE = 80877102;
/** The length of a CancelRequest, and the offset of its code. */
const CANCEL_BYTES = 16;
const CODE_AT = 4;

export interface HeldConnection {
  readonly connection: EmbeddedConnection;
  /** The number of cancel requests that were passed on. */
  readonly cancels: number;
  /** From now on, statements wait until the server has handled one cancel request. */
  hold(): void;
  /** Resolves when a statement is waiting. */
  whenHeld(): Promise<void>;
  stop(): Promise<void>;
}

/** Passes everything on to the server, except statements while they are held. */
export async function holdConnection(to: EmbeddedConnection): Promise<HeldConnection> {
  const sockets = new Set<net.Socket>();
  let isHolding = false;
  let cancels = 0;
  let release: (() => void)[] = [];
  let tellHeld: () => void = () => undefined;
  let held = Promise.resolve();
  const letGo = (): void => {
    isHolding = false;
    for (const send of release.splice(0)) send();
  };
  const passOn = (bytes: Buffer, server: net.Socket): void => {
    if (isCancel(bytes)) {
      cancels += 1;
      // The server closes the socket after it has sent the interrupt.
      server.once('close', letGo);
    } else if (isHolding) {
      release.push(() => server.write(bytes));
      return tellHeld();
    }
    server.write(bytes);
  };
  const proxy = net.createServer((client) => {
    const server = connect(to);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => other.destroy());
    }
    client.on('data', (bytes: Buffer) => passOn(bytes, server));
    server.on('data', (bytes: Buffer) => client.write(bytes));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    connection: { ...to, host: '127.0.0.1', port },
    get cancels() {
      return cancels;
    },
    hold() {
      isHolding = true;
      release = [];
      held = new Promise((resolve) => {
        tellHeld = resolve;
      });
    },
    whenHeld: () => held,
    async stop() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

function connect({ host, port }: EmbeddedConnection): net.Socket {
  return host.startsWith('/') ? net.connect(`${host}/.s.PGSQL.${port}`) : net.connect(port, host);
}

function isCancel(bytes: Buffer): boolean {
  return bytes.length === CANCEL_BYTES && bytes.readInt32BE(CODE_AT) === CANCEL_CODE;
}
