/** A server that poses as MySQL or MariaDB, and reads what clients tell it through TLS. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';

/** The capabilities of the protocol that a client of today asks for, with TLS among them. */
const CAPABILITIES = 0x00ff_ffff & ~0x20;
const TLS_REQUEST_BYTES = 36;

export interface FakeMysql {
  readonly port: number;
  /** How many bytes clients have sent through TLS. */
  readonly secretBytes: number;
  close(): void;
}

export interface FakeMysqlOptions {
  /** What the server says that it is. */
  readonly version: string;
  /** The way in which clients prove their password. */
  readonly plugin: string;
  /** The files of its certificate and key. */
  readonly certificate: string;
  readonly key: string;
}

/** Ends each connection with the first bytes that arrive through TLS. */
export async function startFakeMysql(options: FakeMysqlOptions): Promise<FakeMysql> {
  const [cert, key] = [options.certificate, options.key].map((file) => readFileSync(file));
  const secureContext = tls.createSecureContext({ cert, key });
  let secretBytes = 0;
  const server = net.createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.write(greetingOf(options));
    socket.once('data', (bytes) => {
      socket.pause();
      // TLS may begin in the same bytes.
      if (bytes.length > TLS_REQUEST_BYTES) socket.unshift(bytes.subarray(TLS_REQUEST_BYTES));
      const secure = new tls.TLSSocket(socket, { isServer: true, secureContext });
      secure.on('error', () => socket.destroy());
      secure.on('data', (bytes) => {
        secretBytes += bytes.length;
        secure.destroy();
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    get secretBytes() {
      return secretBytes;
    },
    close: () => server.close(),
  };
}

/** The packet of `HandshakeV10`. */
function greetingOf({ version, plugin }: FakeMysqlOptions): Buffer {
  const text = (value: string): Buffer => Buffer.from(`${value}\0`);
  const fixed = Buffer.alloc(2 + 1 + 2 + 2 + 1 + 10);
  fixed.writeUInt16LE(CAPABILITIES & 0xffff, 0);
  fixed[2] = 45;
  fixed.writeUInt16LE(2, 3);
  fixed.writeUInt16LE(CAPABILITIES >>> 16, 5);
  fixed[7] = 21;
  const payload = Buffer.concat([
    Buffer.from([10]),
    text(version),
    Buffer.from([1, 0, 0, 0]),
    text('12345678'),
    fixed,
    text('123456789012'),
    text(plugin),
  ]);
  const header = Buffer.alloc(4);
  header.writeUIntLE(payload.length, 0, 3);
  return Buffer.concat([header, payload]);
}
