/**
 * `npm run bench`: Rowgate compared with hand-written servers, its ceiling, the bare database and
 * another commit.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { readConfiguration } from '../dist/gateway/config.js';
import { readHost } from '../dist/project/read-host.js';
import type { BenchContext } from './bench-context.js';
import { type BuiltCommit, buildCommit } from './build-commit.js';
import {
  type BenchDatabase,
  type Dialect,
  makeTemporaryDirectory,
  openDatabase,
} from './database.js';
import { findProgram } from './find-program.js';
import { runAutocannon } from './load/autocannon.js';
import { createWrk } from './load/wrk.js';
import { describeMachine } from './machine.js';
import { openMariadb } from './mariadb/mariadb-server.js';
import { type BenchOptions, casesOn, readOptions, USAGE, UsageError } from './options.js';
import { arePeersInstalled, INSTALL_PEERS, peerVersions } from './peers.js';
import { formatReport, toReport } from './report.js';
import { ORDERS, PRODUCTS } from './rows.js';
import { type Found, runCases } from './run-cases.js';
import { endProcessesOnSignals } from './run-process.js';

// MariaDB's connector interprets times in the time zone of the process.
process.env['TZ'] = 'UTC';
await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<void> {
  try {
    const options = readOptions(argv);
    if (options === undefined) say(USAGE);
    else if (options.peers && !arePeersInstalled()) giveUp(INSTALL_PEERS);
    else await bench(options);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    giveUp(`${error.message}\n\n${USAGE}`);
  }
}

function giveUp(why: string): void {
  say(why);
  process.exitCode = 2;
}

async function bench(options: BenchOptions): Promise<void> {
  const directory = makeTemporaryDirectory();
  let before: BuiltCommit | undefined;
  let database: BenchDatabase | undefined;
  const cleanUp = async () => {
    await database?.stop();
    before?.remove();
    rmSync(directory, { recursive: true, force: true });
  };
  endProcessesOnSignals(cleanUp);
  try {
    const tools = findTools(options);
    const machine = describeMachine(tools.wrk === undefined ? 'autocannon' : 'wrk', tools.workers);
    if (options.against !== undefined) before = await buildCommit(options.against, directory);
    const found: Found[] = [];
    const databases: string[] = [];
    for (const dialect of options.databases) {
      const cases = casesOn(dialect, options);
      if (cases.length === 0) continue;
      database = await open(dialect, options);
      databases.push(`${dialect} ${database.version} over ${database.socket}`);
      const shared = { options, database, directory, before: before?.program, say };
      found.push(...(await runCases({ ...tools, ...shared }, cases)));
      await database.stop();
      database = undefined;
    }
    const described = {
      ...machine,
      ...(before && { before: before.commit }),
      databases: databases.join(', '),
      ...(options.peers && { peers: peerVersions() }),
    };
    const report = toReport(described, found, missingTools(tools));
    process.stdout.write(`\n${formatReport(report)}\n`);
    if (options.jsonFile !== undefined) {
      writeFileSync(options.jsonFile, `${JSON.stringify(report, null, 2)}\n`);
    }
  } finally {
    await cleanUp();
  }
}

function open(dialect: Dialect, { databaseUrl, socket }: BenchOptions): Promise<BenchDatabase> {
  say(`${dialect}: making the rows`);
  if (dialect === 'MariaDB') return openMariadb({ products: PRODUCTS, orders: ORDERS });
  return openDatabase(databaseUrl, socket);
}

type Tools = Pick<BenchContext, 'pgbench' | 'runLoad' | 'workers' | 'wrk'>;

function findTools({ load, rowgateWords }: BenchOptions): Tools {
  const wrk = load === 'autocannon' ? undefined : findProgram('wrk');
  if (wrk === undefined && load === 'wrk') throw new UsageError('wrk is not installed.');
  const { env: environment } = process;
  return {
    runLoad: wrk === undefined ? runAutocannon : createWrk(wrk),
    wrk,
    pgbench: findProgram('pgbench'),
    // The options of `rowgate serve` for these arguments, in this environment.
    workers: readConfiguration({ argv: rowgateWords, environment, host: readHost() }).workers,
  };
}

function missingTools({ pgbench, wrk }: Tools): readonly string[] {
  return [
    ...(pgbench === undefined ? ['pgbench, which is not installed (postgresql-contrib)'] : []),
    ...(wrk === undefined
      ? ['rates by wrk: autocannon fills a core by itself, so that ceilings are lower']
      : []),
  ];
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
