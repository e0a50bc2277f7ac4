/**
 * PgBouncer for tests, in front of the PostgreSQL of the run. If it is not installed, suites are
 * skipped, and their names say why.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, inject } from 'vitest';
import { makeTemporaryDirectory } from './embedded.js';
import { findProgram } from './find-program.js';
import { freePort } from './free-port.js';

const START_MS = 30_000;
const POLL_MS = 25;
const NOBODY = 65_534;
/** Stops the pooler when its standard input ends, however this process died. */
const WATCHDOG =
  'exec 3<&0 </dev/null; "$@" 3<&- & pooler=$!; read -r line <&3; kill -9 $pooler; wait $pooler';

/** A pooler that assigns its few connections per transaction. */
export interface Pgbouncer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Declares a suite behind PgBouncer. */
export function describePgbouncer(name: string, suite: (start: () => Promise<Pgbouncer>) => void) {
  const program = findProgram('pgbouncer');
  const missing = program === undefined ? ': pgbouncer is not installed' : '';
  describe.runIf(program !== undefined)(`${name} behind PgBouncer${missing}`, () => {
    suite(() => startPgbouncer(program ?? ''));
  });
}

async function startPgbouncer(program: string): Promise<Pgbouncer> {
  const directory = makeTemporaryDirectory('rowgate-pgbouncer-');
  const port = await freePort();
  const file = join(directory, 'pgbouncer.ini');
  writeFileSync(file, settingsOf(port));
  chmodSync(file, 0o644);
  const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const words = ['-c', WATCHDOG, 'watchdog', program, '-q', file];
  const child = spawn('/bin/sh', words, { stdio: ['pipe', 'ignore', 'ignore'], ...account });
  await untilListening(port);
  return {
    port,
    stop: async () => {
      const ended = once(child, 'exit');
      child.stdin?.end();
      await ended;
      rmSync(directory, { recursive: true });
    },
  };
}

function settingsOf(port: number): string {
  const { host, port: serverPort, user } = inject('embedded');
  return `[databases]
* = host=${host} port=${serverPort} user=${user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
logfile =
`;
}

async function untilListening(port: number): Promise<void> {
  const deadline = performance.now() + START_MS;
  for (;;) {
    const socket = net.connect(port, '127.0.0.1');
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isThere) return;
    if (performance.now() > deadline) throw new Error('pgbouncer did not start in time');
    await delay(POLL_MS);
  }
}
