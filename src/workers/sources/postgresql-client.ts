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

export class TappedClient extends pg.Client {
  /** Set when the connection is made. */
  tap: RowTap | undefined;

  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this;
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
