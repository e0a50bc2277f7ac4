/**
 * The embedded database: a PostgreSQL server below this process, for trying Rowgate out and for its
 * tests. This file is the order of a start; each step lives in a file of its own.
 */
import { findBinaries } from './binaries.js';
import { clusterOf, provideCluster, SERVER_USER } from './cluster.js';
import { type DataPlace, provideDataPlace } from './data-place.js';
import { EmbeddedError } from './embedded-error.js';
import { stopOrphan } from './orphan.js';
import { takeOwnership } from './owner-lock.js';
import { keepServer, type ServerEvent } from './keep-server.js';
import type { Durability, ServerChoice } from './server-settings.js';
import { SOCKET_PORT } from './socket-directory.js';

/** How to reach the server: what a PostgreSQL client takes. There is no password. */
export interface EmbeddedConnection {
  /** The folder of the unix socket, or an address of loopback. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** Where the database lives and how. */
export interface EmbeddedOptions {
  /** Made when it is not there. One Rowgate at a time may use it. */
  readonly dataDirectory: string;
  /** Default: `durable`. */
  readonly durability?: Durability;
  /** A port of loopback on which it listens, too, without a password: for measurements. */
  readonly tcpPort?: number;
  /** Hears when the server ends by itself, and whether it could be started again. */
  readonly report?: (event: ServerEvent) => void;
}

/** A running embedded database. It also stops when this process ends, however that comes. */
export interface EmbeddedDatabase {
  readonly connection: EmbeddedConnection;
  /** The wished data folder, or the one taken in its place when the server cannot enter it. */
  readonly dataDirectory: string;
  /** The pid of a server that a killed Rowgate had left behind, and that was stopped first. */
  readonly stoppedOrphan: number | undefined;
  /** Stops the server and gives the data folder back. Further calls wait for the first. */
  stop(): Promise<void>;
}

/** Starts the database, making it first when the folder is new. Throws {@link EmbeddedError}. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { dataDirectory, durability = 'durable', tcpPort, report = () => undefined } = options;
  try {
    return await startAt(provideDataPlace(dataDirectory), { durability, tcpPort }, report);
  } catch (error) {
    throw error instanceof EmbeddedError ? error : explain(error);
  }
}

async function startAt(
  place: DataPlace,
  { durability, tcpPort }: ServerChoice,
  report: (event: ServerEvent) => void,
): Promise<EmbeddedDatabase> {
  const binaries = findBinaries(place.account);
  const giveBack = takeOwnership(place.dataDirectory);
  try {
    const stoppedOrphan = await stopOrphan(clusterOf(place.dataDirectory));
    await provideCluster({ ...place, binaries });
    const server = await keepServer({ ...place, binaries, durability, tcpPort }, report);
    const connection = {
      host: tcpPort === undefined ? server.socketDirectory : '127.0.0.1',
      port: tcpPort ?? SOCKET_PORT,
      user: SERVER_USER,
      database: 'postgres',
    };
    const stop = once(() => server.stop().finally(giveBack));
    return { connection, dataDirectory: place.dataDirectory, stoppedOrphan, stop };
  } catch (error) {
    giveBack();
    throw error;
  }
}

/** What the system refuses: a folder of another user, a container without the right to chown. */
function explain(cause: unknown): EmbeddedError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const advice = 'DATABASE_URL names a server of your own.';
  const message = `The embedded PostgreSQL did not start: ${reason}\n${advice}`;
  return new EmbeddedError('start-failed', message, { cause });
}

function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= action());
}
