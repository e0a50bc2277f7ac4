/** pg's client with a tap on its socket, behind TLS where there is TLS. */
import { Socket } from 'node:net';
import pg from 'pg';
import { createLendingSocket, readsInto } from './lending-socket.js';
import { RowTap } from './row-tap.js';

/** What pg's parser asks of a stream. */
interface Readable {
  on(event: string, listener: (...values: never[]) => void): unknown;
}

/** pg's option `stream`. Under TLS the bytes come from another stream, which stands on this one. */
export function openStream(connection?: { readonly ssl?: unknown }): Socket {
  return connection?.ssl ? new Socket() : createLendingSocket();
}

/** What the pool gives its clients. */
export interface TappedConfig extends pg.ClientConfig {
  /** How long opening the connection may take, in milliseconds; takes the place of pg's own limit. */
  readonly connectTimeoutMs?: number;
}

export class TappedClient extends pg.Client {
  /** Set when the connection is made. */
  tap: RowTap | undefined;

  constructor(config?: TappedConfig) {
    super(config);
    const { connection } = this;
    if (config?.connectTimeoutMs) limitConnecting(this, config.connectTimeoutMs);
    const attach: unknown = Reflect.get(connection, 'attachListeners');
    if (typeof attach !== 'function') throw new Error('pg has changed: its reader is elsewhere');
    // pg calls this with the stream that it is going to read, which under TLS is not its first.
    Reflect.set(connection, 'attachListeners', (stream: Readable) => {
      Reflect.apply(attach, connection, [this.#tapped(stream)]);
    });
  }

  /** The stream as pg's parser sees it: without the rows that somebody else takes. */
  #tapped(stream: Readable): Readable {
    return {
      on: (event, listener) => {
        if (event !== 'data') return stream.on(event, listener);
        const tap = new RowTap((bytes) => void Reflect.apply(listener, stream, [bytes]));
        this.tap = tap;
        if (readsInto(stream, (bytes) => tap.take(bytes, true))) return stream;
        return stream.on('data', (chunk: Buffer) => tap.take(chunk, false));
      },
    };
  }
}

const TICKS = 10;

/**
 * Ends a connection that is not made in time. The time is counted in ticks, of which a turn of the
 * thread has one at most: a thread that was busy takes its own silence for none of the database's.
 */
function limitConnecting(client: TappedClient, limitMs: number): void {
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
