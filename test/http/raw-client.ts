/** A client on a plain socket, for what a well-behaved client never does. */
import { createConnection, type Socket } from 'node:net';

/** Less than the ten seconds after which uWebSockets.js closes idle connections. */
const CLOSED_MS = 8000;

export interface RawClient {
  readonly socket: Socket;
  send(bytes: string | Uint8Array): void;
  /** Everything received so far, as Latin-1 text. */
  received(): string;
  /**
   * Resolves when the received text satisfies the predicate. Rejects if it does not within some time.
   */
  until(predicate: (text: string) => boolean, withinMs?: number): Promise<string>;
  /** Resolves with everything received, when the connection is closed. */
  closed(withinMs?: number): Promise<string>;
  end(): void;
}

/** Connects to a port of the loopback interface. */
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

/** A request with a body and its `Content-Length`. */
export function rawPost(path: string, body: string, headers: readonly string[] = []): string {
  const length = Buffer.byteLength(body);
  const head = [`POST ${path} HTTP/1.1`, 'host: x', `content-length: ${length}`, ...headers];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** The number of answers in the received text. */
export function countAnswers(text: string): number {
  return text.split('HTTP/1.1 ').length - 1;
}
