/**
 * pg's client as a means to connect: once it is connected, what its socket reads goes elsewhere.
 */
import { Socket } from 'node:net';
import pg from 'pg';
import { createBorrowingSocket, readsInto } from './borrowed-socket.js';

/** Takes what the socket reads. `isBorrowed`: into a buffer that will be used again. */
export type TakeBytes = (bytes: Buffer, isBorrowed: boolean) => void;

/** What pg's parser asks of a stream. */
interface Readable {
  on(event: string, listener: (...values: never[]) => void): unknown;
}

/** pg's option `stream`. Under TLS the bytes come from another stream, which stands on this one. */
export function openStream(connection?: { readonly ssl?: unknown }): Socket {
  return connection?.ssl ? new Socket() : createBorrowingSocket();
}

/** Options of a client. */
export interface DivertedConfig extends pg.ClientConfig {
  /** How long opening the connection may take, in milliseconds; takes the place of pg's own limit. */
  readonly connectTimeoutMs?: number;
}

export class DivertedClient extends pg.Client {
  /** Takes all that is read; undefined: pg's parser does. It is set between messages only. */
  reader: TakeBytes | undefined;

  constructor(config?: DivertedConfig) {
    super(config);
    const { connection } = this;
    if (config?.connectTimeoutMs) limitConnecting(this, config.connectTimeoutMs);
    const attach: unknown = Reflect.get(connection, 'attachListeners');
    if (typeof attach !== 'function') throw new Error('pg has changed: its reader is elsewhere');
    // pg calls this with the stream that it is going to read, which under TLS is not its first.
    Reflect.set(connection, 'attachListeners', (stream: Readable) => {
      Reflect.apply(attach, connection, [this.#diverted(stream)]);
    });
  }

  /** The stream as pg's parser sees it. */
  #diverted(stream: Readable): Readable {
    return {
      on: (event, listener) => {
        if (event !== 'data') return stream.on(event, listener);
        const take: TakeBytes = (bytes, isBorrowed) => {
          if (this.reader) return this.reader(bytes, isBorrowed);
          Reflect.apply(listener, stream, [isBorrowed ? Buffer.from(bytes) : bytes]);
        };
        if (readsInto(stream, (bytes) => take(bytes, true))) return stream;
        return stream.on('data', (chunk: Buffer) => take(chunk, false));
      },
    };
  }
}

const TICKS = 10;

/**
 * Ends a connection that is not made in time. The time is counted in ticks, of which a turn of the
 * thread has one at most: a thread that was busy takes its own silence for none of the database's.
 */
function limitConnecting(client: DivertedClient, limitMs: number): void {
  let ticks = 0;
  const stop = () => clearInterval(timer);
  const tick = () => {
    ticks += 1;
    if (ticks < TICKS) return;
    stop();
    client.connection.stream.destroy(new Error('the connection was not made in time'));
  };
  const timer = setInterval(tick, Math.ceil(limitMs / TICKS)).unref();
  client.once('connect', stop);
  client.once('end', stop);
}
