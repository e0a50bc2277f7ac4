/** A world: a random domain with its rows, and the program that serves it. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHash, randomBytes } from 'node:crypto';
import type { Tables } from '../evaluate/tables.js';
import { makeTemporaryDirectory } from '../../support/embedded.js';
import { runCommand, startProgram } from '../../support/program.js';
import type { Domain } from '../world/domain.js';
import type { Listener } from '../world/make-listeners.js';
import type { View } from '../world/view.js';
import { importDocument, schemaFile } from '../world/schema-file.js';
import { alterColumns } from './alter-columns.js';
import { type Client, createClient, describeReply } from './client.js';
import type { Server, WorldDatabase } from './database.js';

/** A domain and its rows. */
export interface WorldPlan {
  readonly domain: Domain;
  readonly tables: Tables;
  /** Another view than the default one. */
  readonly view?: View | undefined;
  readonly split?: Split | undefined;
  readonly listeners?: readonly Listener[] | undefined;
  /** Whether requests have a key with limits, so that each runs in a transaction of its own. */
  readonly hasLimits?: boolean | undefined;
}

/** Which entities are in a second database. */
export interface Split {
  readonly server: Server;
  readonly moved: readonly string[];
}

export interface World extends WorldPlan {
  /** The rows that the tables should contain now. */
  tables: Tables;
  readonly client: Client;
  readonly port: number;
  readonly database: WorldDatabase;
  /** Log lines about internal errors of the program. */
  faults(): readonly string[];
  stop(): Promise<void>;
}

const WORKERS = ['--workers', '2', '--compression', 'true'];

/**
 * Creates the tables with `push`, starts the program with the options, and imports the rows. Rejects if
 * one of these fails.
 */
export async function startWorld(
  server: Server,
  { domain, tables, view, split, listeners, hasLimits }: WorldPlan,
  options: readonly string[] = [],
): Promise<World> {
  const first = await server.create();
  const second = await split?.server.create();
  const database = second ? both(first, second) : first;
  const folder = makeTemporaryDirectory('rowgate-random-');
  const clean = async (): Promise<void> => {
    rmSync(folder, { recursive: true, force: true });
    await database.drop();
  };
  try {
    const file = join(folder, 'schema.json');
    const moved = second && split && { ...split, source: second.source };
    writeFileSync(
      file,
      JSON.stringify(schemaFile(domain, first.source, { view, second: moved, listeners })),
    );
    const pushed = await runCommand(['push', '--schema', file]);
    if (pushed.code !== 0) throw new Error(`push failed: ${pushed.stderr}${pushed.stdout}`);
    await alterColumns(database, domain);
    const access = hasLimits ? limitedAccess(folder) : undefined;
    const words = ['--schema', file, ...options, ...WORKERS, ...(access?.words ?? [])];
    const program = await startProgram(words);
    const client = createClient(program.base, access?.key);
    const stop = async (): Promise<void> => {
      client.close();
      await program.stop();
      await clean();
    };
    try {
      await importRows(client, domain, tables);
    } catch (error) {
      await stop();
      throw error;
    }
    const faults = () =>
      program.log
        .filter(({ level, code }) => Number(level) >= 50 || code === 'internal')
        .map((line) => JSON.stringify(line));
    const { port } = program;
    return {
      domain,
      tables,
      view,
      split,
      listeners,
      hasLimits,
      client,
      port,
      database,
      faults,
      stop,
    };
  } catch (error) {
    await clean();
    throw error;
  }
}

/** A key whose limits no request reaches. */
function limitedAccess(folder: string): { readonly key: string; readonly words: string[] } {
  const key = `rowgate_${randomBytes(32).toString('base64url')}`;
  const hash = createHash('sha256').update(key).digest('hex');
  const limits = { rows: 1_000_000, timeMs: 600_000 };
  const entry = { name: 'one', hash, allow: ['schema', 'import', 'export'], limits };
  const file = join(folder, 'keys.json');
  writeFileSync(file, JSON.stringify({ keys: [entry] }));
  return { key, words: ['--keys-file', file, '--transaction-answer-max', String(1 << 28)] };
}

function both(first: WorldDatabase, second: WorldDatabase): WorldDatabase {
  const inTurn = (does: (each: WorldDatabase) => Promise<void>) => async () => {
    await does(first);
    await does(second);
  };
  return { ...first, empty: inTurn((each) => each.empty()), drop: inTurn((each) => each.drop()) };
}

/** Stores rows by an import. */
export async function importRows(client: Client, domain: Domain, tables: Tables): Promise<void> {
  const reply = await client.post('/stages/default/import', importDocument(domain, tables));
  if (reply.status !== 200) throw new Error(`the import failed: ${describeReply(reply)}`);
}
