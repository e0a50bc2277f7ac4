/** pg's client with a tap on its socket, behind TLS where there is TLS. */
import pg from 'pg';
import { RowTap } from './row-tap.js';

/** What pg's parser asks of a stream. */
interface Readable {
  on(event: string, listener: (...values: never[]) => void): unknown;
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
        return stream.on('data', (chunk: Buffer) => tap.take(chunk));
      },
    };
  }
}
