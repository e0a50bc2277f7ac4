/**
 * Uses pg's client only to connect. After that, the bytes of its socket go to Rowgate's own reader.
 */
import { Socket } from 'node:net';
import { userInfo } from 'node:os';
import pg from 'pg';
import { Deadline } from '../deadline.js';
import { ProtocolError } from '../protocol-error.js';
import { createBorrowingSocket, readsInto } from '../borrowed-socket.js';
import { Deframer } from './deframer.js';

// pg only knows the variable USER, which services and containers may lack.
pg.defaults.user ??= accountName();

/** The name that libpq takes if a connection names no user; undefined if the account has none. */
function accountName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/** Receives the bytes of the socket, whose buffer is used again after the call. */
export type TakeBytes = (bytes: Buffer) => void;

/** The members of a stream that pg's parser uses. */
interface Readable {
  on(event: string, listener: (...values: never[]) => void): unknown;
}

/** pg's option `stream`. With TLS, the bytes come from another stream on top of this one. */
export function openStream(connection?: { readonly ssl?: unknown }): Socket {
  return connection?.ssl ? new Socket() : createBorrowingSocket();
}

/**
 * Settings in the startup message, which poolers know and keep for every client. They take precedence
 * over the `options` of a URL, and over the settings of the server and the role.
 */
const settings = { DateStyle: 'ISO, MDY', TimeZone: 'UTC', standard_conforming_strings: 'on' };

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

export class DivertedClient extends pg.Client {
  /** Receives all bytes; if undefined, pg's parser does. Changed only between messages. */
  reader: TakeBytes | undefined;
  /** The settings that the server has reported, by name. */
  readonly parameters = new Map<string, string>();

  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this;
    connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      this.parameters.set(parameterName, parameterValue);
    });
    const parametersOf: unknown = Reflect.get(this, 'getStartupConf');
    if (typeof parametersOf !== 'function')
      throw new Error('pg has changed: its start was not found');
    // pg calls this for its first message.
    Reflect.set(this, 'getStartupConf', (): object => {
      const own: unknown = Reflect.apply(parametersOf, this, []);
      return { ...(typeof own === 'object' && own), ...settings };
    });
    const attach: unknown = Reflect.get(connection, 'attachListeners');
    if (typeof attach !== 'function') throw new Error('pg has changed: its reader was not found');
    // pg calls this with the stream to read, which with TLS is not the first one.
    Reflect.set(connection, 'attachListeners', (stream: Readable) => {
      Reflect.apply(attach, connection, [this.#diverted(stream)]);
    });
  }

  /** The process id of the server's backend; behind a pooler, it is any number. */
  get serverProcess(): number {
    const number: unknown = Reflect.get(this, 'processID');
    return typeof number === 'number' ? number : 0;
  }

  /** The stream as pg's parser sees it: it reads whole messages, because a wrong length would make it loop. */
  #diverted(stream: Readable): Readable {
    return {
      on: (event, listener) => {
        if (event !== 'data') return stream.on(event, listener);
        const deframer = new Deframer({
          message: (_, bytes, start, end) => {
            Reflect.apply(listener, stream, [Buffer.from(bytes.subarray(start, end))]);
          },
          discarded: (_, length) => {
            throw new ProtocolError(`A message has the length ${length}.`);
          },
        });
        const take: TakeBytes = (bytes) => {
          if (this.reader) return this.reader(bytes);
          try {
            deframer.take(bytes);
          } catch (error) {
            // pg's parser throws errors of any kind at messages that it does not understand.
            this.connection.stream.destroy(
              error instanceof Error ? error : new Error(String(error)),
            );
          }
        };
        return readsInto(stream, take) ? stream : stream.on('data', take);
      },
    };
  }
}

/** Ends a connection unless the returned function is called in time. */
export function limitConnecting(client: DivertedClient, limitMs: number): () => void {
  const deadline = new Deadline(limitMs);
  const expire = () => {
    deadline.close();
    const late = new Error('the connection was not established in time');
    client.connection.stream.destroy(Object.assign(late, { code: 'ETIMEDOUT' }));
  };
  deadline.start({ isWorking: true, heardAt: 0, expire });
  return () => deadline.close();
}
