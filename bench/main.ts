/** `npm run bench`: Rowgate beside a hand-written server, its ceiling and the bare database. */
import { rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { readConfiguration } from '../dist/gateway/config.js';
import type { BenchContext } from './bench-context.js';
import type { BenchCase } from './cases/case.js';
import { ping, planHit, planMiss } from './cases/cases.js';
import { ask } from './cases/ask-server.js';
import { queryRequest } from './cases/case.js';
import { type BuiltCommit, buildCommit } from './build-commit.js';
import { rowgateEnvironment, rowgateProgram, startContestant } from './contestants.js';
import { type BenchDatabase, makeTemporaryDirectory, openDatabase } from './database.js';
import { findProgram } from './find-program.js';
import { runAutocannon } from './load/autocannon.js';
import { createWrk } from './load/wrk.js';
import { describeMachine } from './machine.js';
import { runMariadbStream } from './mariadb/run-mariadb-stream.js';
import { type Sample, toFigures } from './measure/figure.js';
import { runBulk, runImport } from './import/run-import.js';
import type { Reference } from './mixes/check-query.js';
import { createMix, MIXES } from './mixes/mixes.js';
import { POINT } from './mixes/queries.js';
import { runMicro } from './micro/run-micro.js';
import { type BenchOptions, type CaseName, readOptions, USAGE, UsageError } from './options.js';
import { arePeersInstalled, INSTALL_PEERS, peerVersions } from './peers.js';
import { answerQuery, type HandWritten } from './rivals/answer-query.js';
import { openPostgresql } from './rivals/postgresql.js';
import { formatReport, type Report } from './report.js';
import { loadRows } from './rows.js';
import { runAlone } from './run-alone.js';
import { runLarge } from './run-large.js';
import { runSoak } from './run-soak.js';
import { type Memory, runCase } from './run-case.js';
import { endProcessesOnSignals, runProcess } from './run-process.js';
import { runStart } from './run-start.js';
import { isStreamCase, runStream } from './stream/run-streams.js';
import { makeStreamDatabase } from './stream/stream-database.js';
import type { StreamFigure } from './stream/stream-target.js';
import { judge } from './targets.js';

const PUSH_TIMEOUT_MS = 60_000;

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
  let database: BenchDatabase | undefined;
  let before: BuiltCommit | undefined;
  const cleanUp = async () => {
    await before?.remove();
    rmSync(directory, { recursive: true, force: true });
    await database?.stop();
  };
  endProcessesOnSignals(cleanUp);
  try {
    if (options.against !== undefined) before = await buildCommit(options.against, directory);
    database = await openDatabase(options.database, options.socket);
    await fill(database);
    const context = await prepare(options, database, directory);
    const report = await measure({ ...context, before: before?.program });
    process.stdout.write(`\n${formatReport(report)}\n`);
    if (options.jsonFile !== undefined) {
      writeFileSync(options.jsonFile, `${JSON.stringify(report, null, 2)}\n`);
    }
  } finally {
    await cleanUp();
  }
}

/** The tables by Rowgate itself, the rows by ourselves. */
async function fill({ connection }: BenchDatabase): Promise<void> {
  const push = { program: process.execPath, words: [rowgateProgram, 'push'] };
  const environment = rowgateEnvironment(connection);
  await runProcess({ ...push, environment }, PUSH_TIMEOUT_MS);
  await loadRows(connection);
}

async function prepare(
  options: BenchOptions,
  database: BenchDatabase,
  directory: string,
): Promise<Omit<BenchContext, 'before'>> {
  const { rowgateWords } = options;
  const wrk = options.load === 'autocannon' ? undefined : findProgram('wrk');
  if (wrk === undefined && options.load === 'wrk') throw new UsageError('wrk is not installed.');
  const { connection } = database;
  const settings = { connection, rowgateWords, profileDirectory: undefined, constant: '[]' };
  const rowgate = await startContestant('rowgate', settings);
  try {
    const plan: { sentence: string } = JSON.parse(
      await ask(rowgate.url, queryRequest('/plan', POINT.expression)),
    );
    return {
      options,
      database,
      directory,
      say,
      runLoad: wrk === undefined ? runAutocannon : createWrk(wrk),
      loadTool: wrk === undefined ? 'autocannon' : 'wrk',
      pgbench: findProgram('pgbench'),
      workers: workersOf(rowgateWords),
      pointStatement: plan.sentence,
      constant: await ask(rowgate.url, queryRequest('/execute', POINT.expression, { id: 4711 })),
    };
  } finally {
    await rowgate.process.stop();
  }
}

async function measure(context: BenchContext): Promise<Report> {
  const { options, database, workers, loadTool } = context;
  const machine = {
    ...describeMachine(database, loadTool, workers),
    ...(options.peers && { peers: peerVersions() }),
  };
  const samples: Sample[] = [];
  const memory: Memory[] = [];
  const missing = missingTools(context);
  const attempt: Attempt = async <Result>(name: CaseName, run: () => Promise<Result>) => {
    if (!options.cases.includes(name)) return undefined;
    try {
      return await run();
    } catch (error) {
      process.exitCode = 1;
      missing.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };
  const reference = openPostgresql(database.connection, 1);
  const point = createMix('point', 'PostgreSQL', referenceOf(reference));
  for (const each of casesOf(options, reference)) {
    const result = await attempt(each.name, () => runCase(context, each));
    samples.push(...(result?.samples ?? []));
    if (result?.memory.idleBytes !== undefined) memory.push(result.memory);
  }
  samples.push(...((await attempt('alone', () => runAlone(context, point))) ?? []));
  samples.push(...((await attempt('large', () => runLarge(context, point))) ?? []));
  const start = await attempt('start', () => runStart(context));
  const micro = await attempt('micro', runMicro);
  const imports = (await attempt('import', () => runImport(context))) ?? [];
  const bulk = (await attempt('bulk', () => runBulk(context))) ?? [];
  const dumped = (await attempt('mariadb-stream', () => runMariadbStream(context))) ?? [];
  const streams = [...(await measureStreams(context, attempt)), ...dumped, ...imports, ...bulk];
  const soak = await attempt('soak', () => runSoak(context, point));
  await reference.end();
  const figures = toFigures(samples);
  const verdicts = judge(figures, micro);
  return { machine, figures, memory, start, streams, micro, soak, verdicts, missing };
}

function casesOf({ cases }: BenchOptions, database: HandWritten): readonly BenchCase[] {
  const mixes = MIXES.filter((name) => cases.includes(name));
  const reference = referenceOf(database);
  const others = [planHit, planMiss, ping].filter(({ name }) => cases.includes(name));
  return [...mixes.map((name) => createMix(name, 'PostgreSQL', reference)), ...others];
}

/** Answers as they are once they have been JSON. */
function referenceOf(database: HandWritten): Reference {
  return async ({ query, data }) =>
    JSON.parse(JSON.stringify(await answerQuery(database, query, data)));
}

/** A case that fails is told at the end; what others found is not lost. */
type Attempt = <Result>(name: CaseName, run: () => Promise<Result>) => Promise<Result | undefined>;

/** The cases that stream share a database, which is made when one of them is asked for. */
async function measureStreams(
  context: BenchContext,
  attempt: Attempt,
): Promise<readonly StreamFigure[]> {
  const names = context.options.cases.filter(isStreamCase);
  if (names.length === 0) return [];
  context.say('streams: making the rows');
  const { connection, drop } = await makeStreamDatabase(context.database.connection);
  try {
    const figures: StreamFigure[] = [];
    for (const name of names) {
      figures.push(...((await attempt(name, () => runStream(context, name, connection))) ?? []));
    }
    return figures;
  } finally {
    await drop();
  }
}

function missingTools({ pgbench, loadTool, database }: BenchContext): string[] {
  return [
    ...(pgbench === undefined ? ['pgbench, which is not installed (postgresql-contrib)'] : []),
    ...(loadTool === 'autocannon'
      ? ['rates by wrk: autocannon fills a core by itself, so that ceilings are lower']
      : []),
    ...(database.postmaster === undefined
      ? ["the database's processor time: it is elsewhere"]
      : []),
  ];
}

/** Those of `rowgate serve` with these words, which has our environment. */
function workersOf(words: readonly string[]): number {
  const host = { cores: availableParallelism() };
  return readConfiguration({ argv: words, environment: process.env, host }).workers;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
