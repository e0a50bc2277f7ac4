/** Starts Debian's proxies with the files of `deploy`, in front of a gateway. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTemporaryDirectory } from './embedded.js';
import { findProgram } from './find-program.js';
import { freePort } from './free-port.js';
import { until } from './program.js';

/**
 * A proxy: its program, its file in `deploy`, and how it is started with an adapted copy of that
 * file.
 */
interface ProxyKind {
  readonly program: string;
  readonly file: string;
  /** The file that the program reads, if it is not the adapted copy itself. */
  readonly around?: (copy: string, folder: string) => string;
  readonly words: (file: string, folder: string) => readonly string[];
}

export const proxies = {
  nginx: {
    program: 'nginx',
    file: 'nginx.conf',
    around: (copy, folder) => `pid ${folder}/pid; error_log stderr warn;
      daemon off; master_process off;
      events {}
      http {
        access_log off;
        client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
        uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
        include ${copy};
      }`,
    words: (file, folder) => ['-p', folder, '-e', 'stderr', '-c', file],
  },
  HAProxy: { program: 'haproxy', file: 'haproxy.cfg', words: (file) => ['-db', '-f', file] },
  Caddy: {
    program: 'caddy',
    file: 'Caddyfile',
    words: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
  },
} as const satisfies Record<string, ProxyKind>;

export type ProxyName = keyof typeof proxies;

/** Why a proxy cannot be started; empty if it can. */
export function proxyFault(name: ProxyName): string {
  const { program } = proxies[name];
  return findProgram(program) === undefined ? `: ${program} is not installed` : '';
}

/** A running proxy. */
export interface Proxy {
  readonly base: string;
  stop(): Promise<void>;
}

/** Starts a proxy in front of the gateway at a port. `edit` changes its file before that. */
export async function startProxy(
  name: ProxyName,
  gatewayPort: number,
  edit = (text: string) => text,
): Promise<Proxy> {
  const kind: ProxyKind = proxies[name];
  const folder = makeTemporaryDirectory(`rowgate-${kind.program}-`);
  const port = await freePort();
  const source = new URL(`../../deploy/${kind.file}`, import.meta.url);
  const edited = edit(readFileSync(fileURLToPath(source), 'utf8'))
    .replaceAll('127.0.0.1:9291', `127.0.0.1:${gatewayPort}`)
    .replace(/^(\s*listen |\s*bind :|:)80\b/m, (_, before: string) =>
      before.includes('listen') ? `${before}127.0.0.1:${port}` : `${before}${port}`,
    );
  const copy = join(folder, kind.file);
  // Caddy's own endpoint for its administration would need a port.
  writeFileSync(copy, kind.program === 'caddy' ? `{\n\tadmin off\n}\n${edited}` : edited);
  let file = copy;
  if (kind.around) {
    file = join(folder, 'main.conf');
    writeFileSync(file, kind.around(copy, folder));
  }
  const home = join(folder, 'home');
  mkdirSync(home);
  const child = spawn(findProgram(kind.program) ?? '', kind.words(file, folder), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home, PATH: process.env['PATH'] },
  });
  let errors = '';
  child.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()));
  const ended = once(child, 'exit');
  const base = `http://127.0.0.1:${port}`;
  await until(`${name} listens`, () => {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${errors}`);
    return isOpen(port);
  });
  return {
    base,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    const end = (open: boolean) => () => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', end(true));
    socket.once('error', end(false));
  });
}
