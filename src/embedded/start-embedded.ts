/**
 * The embedded database: a PostgreSQL server below this process, for trying Rowgate out and for its
 * tests. This file is the order of a start; each step lives in a file of its own.
 */
import { findBinaries } from './binaries.js';
import { clusterOf, provideCluster, SERVER_USER } from './cluster.js';
import { provideDataPlace } from './data-place.js';
import { stopOrphan } from './orphan.js';
import { takeOwnership } from './owner-lock.js';
import { runServer } from './run-server.js';
import type { Durability } from './server-settings.js';
import { SOCKET_PORT } from './socket-directory.js';

/** How to reach the server: what a PostgreSQL client takes. There is no password. */
export interface EmbeddedConnection {
  /** The folder of the unix socket. */
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
  const { durability = 'durable' } = options;
  const { dataDirectory, account } = provideDataPlace(options.dataDirectory);
  const binaries = findBinaries(account);
  const giveBack = takeOwnership(dataDirectory);
  try {
    const stoppedOrphan = await stopOrphan(clusterOf(dataDirectory));
    const order = { dataDirectory, account, binaries };
    await provideCluster(order);
    const server = await runServer({ ...order, durability });
    const connection = {
      host: server.socketDirectory,
      port: SOCKET_PORT,
      user: SERVER_USER,
      database: 'postgres',
    };
    const stop = once(() => server.stop().finally(giveBack));
    return { connection, dataDirectory, stoppedOrphan, stop };
  } catch (error) {
    giveBack();
    throw error;
  }
}

function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= action());
}
