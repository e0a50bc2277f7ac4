/** A client on a bare socket, for what a well-behaved one never does. */
import { createConnection, type Socket } from 'node:net';

/** Less than the ten seconds after which uWebSockets.js closes what is idle. */
const CLOSED_MS = 8000;

export interface RawClient {
  readonly socket: Socket;
  send(bytes: string | Uint8Array): void;
  /** All that has come, as Latin-1 text. */
  received(): string;
  /** Resolves when what has come satisfies the predicate; rejects when it does not within some time. */
  until(predicate: (text: string) => boolean, withinMs?: number): Promise<string>;
  /** Resolves with all that has come once the connection is closed. */
  closed(withinMs?: number): Promise<string>;
  end(): void;
}

/** Connects to a port of the loopback. */
export async function connectRaw(port: number): Promise<RawClient> {
  const socket = createConnection({ host: '127.0.0.1', port });
  const chunks: Buffer[] = [];
  const received = () => Buffer.concat(chunks).toString('latin1');
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  return {
    socket,
    received,
    send: (bytes) => socket.write(bytes),
    until: (predicate, withinMs = 30_000) =>
      waitFor(socket, () => (predicate(received()) ? received() : undefined), withinMs),
    closed: (withinMs = CLOSED_MS) =>
      waitFor(socket, () => (socket.closed ? received() : undefined), withinMs),
    end: () => socket.destroy(),
  };
}

function waitFor(
  socket: Socket,
  result: () => string | undefined,
  withinMs: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(new Error('nothing came'))), withinMs);
    const look = () => {
      const value = result();
      if (value !== undefined) settle(() => resolve(value));
      else if (socket.closed) settle(() => reject(new Error('the connection was closed')));
    };
    const settle = (then: () => void) => {
      clearTimeout(timer);
      socket.off('data', look);
      socket.off('close', look);
      then();
    };
    socket.on('data', look);
    socket.on('close', look);
    look();
  });
}

/** A request with a body of known length. */
export function rawPost(path: string, body: string, headers: readonly string[] = []): string {
  const length = Buffer.byteLength(body);
  const head = [`POST ${path} HTTP/1.1`, 'host: x', `content-length: ${length}`, ...headers];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** The number of answers in what has come. */
export function countAnswers(text: string): number {
  return text.split('HTTP/1.1 ').length - 1;
}
