/**
 * The embedded database: a PostgreSQL server that is a child of this process, for trying out Rowgate
 * and for its tests. This file runs the steps of a start in order; each step has its own file.
 */
import { findBinaries, findPackage } from './binaries.js';
import { clusterOf, provideCluster, SERVER_USER } from './cluster.js';
import { type DataPlace, provideDataPlace } from './data-place.js';
import { EmbeddedError } from './embedded-error.js';
import { stopOrphan } from './orphan.js';
import { takeOwnership, type WaitEvent } from './owner-lock.js';
import { keepServer, type ServerEvent } from './keep-server.js';
import type { ServerChoice } from './server-settings.js';
import { SOCKET_PORT } from './socket-directory.js';

/** How to connect to the server, as PostgreSQL clients expect it. There is no password. */
export interface EmbeddedConnection {
  /** The folder of the UNIX socket, or a loopback address. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** Where the data are stored, and how the server runs. */
export interface EmbeddedOptions extends Partial<ServerChoice> {
  /** Created if it does not exist. Only one Rowgate process at a time can use it. */
  readonly dataDirectory: string;
  /** Called when the start has to wait, when the server ends by itself, and after each attempt to restart it. */
  readonly report?: (event: ServerEvent | WaitEvent) => void;
}

/** A running embedded database. It also stops when this process ends, however that happens. */
export interface EmbeddedDatabase {
  readonly connection: EmbeddedConnection;
  /** The requested data folder, or the one that replaces it because the server cannot enter it. */
  readonly dataDirectory: string;
  /** The pid of a server that a killed Rowgate process had left behind, and that was stopped first. */
  readonly stoppedOrphan: number | undefined;
  /** Stops the server and releases the data folder. Further calls wait for the first. */
  stop(): Promise<void>;
}

/** Starts the database, and creates it first if the folder is new. Throws {@link EmbeddedError}. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { dataDirectory, durability = 'durable', tcpPort, report = () => undefined } = options;
  try {
    // First, because images without the package often let nobody create the folder.
    const packageDirectory = findPackage();
    const place = provideDataPlace(dataDirectory);
    return await startAt(packageDirectory, place, { durability, tcpPort }, report);
  } catch (error) {
    throw error instanceof EmbeddedError ? error : explain(error);
  }
}

async function startAt(
  packageDirectory: string,
  place: DataPlace,
  { durability, tcpPort }: ServerChoice,
  report: (event: ServerEvent | WaitEvent) => void,
): Promise<EmbeddedDatabase> {
  const binaries = findBinaries(packageDirectory, place.account);
  const giveBack = await takeOwnership(place.dataDirectory, report);
  try {
    const stoppedOrphan = await stopOrphan(clusterOf(place.dataDirectory));
    await provideCluster({ ...place, binaries, durability });
    const server = await keepServer({ ...place, binaries, durability, tcpPort }, report);
    const connection = {
      host: tcpPort === undefined ? server.socketDirectory : '127.0.0.1',
      port: tcpPort ?? SOCKET_PORT,
      user: SERVER_USER,
      database: 'postgres',
    };
    let stopping: Promise<void> | undefined;
    const stop = () => (stopping ??= server.stop().finally(giveBack));
    return { connection, dataDirectory: place.dataDirectory, stoppedOrphan, stop };
  } catch (error) {
    giveBack();
    throw error;
  }
}

/** For a refusal by the system: a folder of another user, or a container that cannot chown. */
function explain(cause: unknown): EmbeddedError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const advice = 'To use your own server, set DATABASE_URL.';
  const message = `The embedded PostgreSQL did not start: ${reason}\n${advice}`;
  return new EmbeddedError('start-failed', message, { cause });
}
