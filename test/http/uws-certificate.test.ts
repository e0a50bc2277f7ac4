/** How the server on uWebSockets.js reads its certificate again; the library is counted, and made to fail. */
import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createUwsServer, type UwsLibrary } from '../../src/gateway/http/uws-server.js';

const directory = mkdtempSync(join(tmpdir(), 'rowgate-certificate-'));
cpSync(new URL('./certificates', import.meta.url), directory, { recursive: true });
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const file = (name: string) => join(directory, name);
function use(name: string): void {
  for (const kind of ['crt', 'key']) copyFileSync(file(`${name}.${kind}`), file(`used.${kind}`));
}

/** The name in the certificate of the server at a port. */
function nameAt(port: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().subject.CN);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

const fault = inject('uwsFault');

describe.runIf(fault === '')(`a certificate on uWebSockets.js${fault && `: ${fault}`}`, () => {
  const start = async () => {
    use('first');
    const { default: uws } = await import('uWebSockets.js');
    const made = { apps: 0, refuses: false, allRefuse: false };
    const listens: UwsLibrary = {
      ...uws,
      SSLApp: (options) => {
        made.apps += 1;
        const app = uws.SSLApp(options);
        const { refuses } = made;
        const listen: unknown = Reflect.get(app, 'listen');
        Reflect.set(app, 'listen', (...given: unknown[]): void => {
          // The last parameter receives the socket.
          const listened = given.at(-1);
          if (!refuses && !made.allRefuse && typeof listen === 'function') {
            Reflect.apply(listen, app, given);
          } else if (typeof listened === 'function') listened(false);
        });
        return app;
      },
    };
    const server = createUwsServer(listens, {
      handle: (exchange) => exchange.respond(200, [], ''),
      headersBytesMax: 8192,
      writeStallMs: 1000,
      certificate: { certFile: file('used.crt'), keyFile: file('used.key') },
    });
    const port = await server.listen({ kind: 'port', host: '127.0.0.1', port: 0 });
    return { server, port, made };
  };

  it('needs another app only if its files have changed', async () => {
    const { server, port, made } = await start();
    for (let i = 0; i < 3; i += 1) await server.reloadCertificate();
    expect(made.apps).toBe(1);
    use('second');
    for (let i = 0; i < 3; i += 1) await server.reloadCertificate();
    expect(made.apps).toBe(2);
    expect(await nameAt(port)).toBe('second');
    await server.close();
  });

  it('stays in use if nothing can listen with the new one', async () => {
    const { server, port, made } = await start();
    use('second');
    made.refuses = true;
    await expect(server.reloadCertificate()).rejects.toThrow('Cannot listen on');
    expect(await nameAt(port)).toBe('first');
    made.refuses = false;
    await server.reloadCertificate();
    expect(await nameAt(port)).toBe('second');
    await server.close();
  });

  it('is tried again if nothing could listen, not even with the one before', async () => {
    const { server, port, made } = await start();
    use('second');
    made.allRefuse = true;
    for (let i = 0; i < 2; i += 1) {
      await expect(server.reloadCertificate()).rejects.toThrow('Cannot listen on');
    }
    await expect(nameAt(port)).rejects.toThrow('ECONNREFUSED');
    use('first');
    made.allRefuse = false;
    await server.reloadCertificate();
    expect(await nameAt(port)).toBe('first');
    await server.close();
  });

  it('is not read after the server has stopped listening', async () => {
    const { server, port } = await start();
    for (const stop of [async () => server.drain(), server.close]) {
      await stop();
      use('second');
      await server.reloadCertificate();
      await expect(nameAt(port)).rejects.toThrow('ECONNREFUSED');
    }
  });
});
