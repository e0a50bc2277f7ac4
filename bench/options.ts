/** The command line of the bench: which cases, how long, how many connections. */
import { parseArgs } from 'node:util';
import type { Dialect, SocketKind } from './database.js';
import { MIXES } from './mixes/mixes.js';

/** The cases, in the order in which they run. */
export const CASES = [
  ...MIXES,
  'alone',
  'beside',
  'locks',
  'plan-hit',
  'plan-miss',
  'ping',
  'mariadb-stream',
  'large',
  'cold',
  'start',
  'stream',
  'stream-include',
  'stream-million',
  'stream-slow',
  'import',
  'bulk',
  'micro',
] as const;

/** The cases that run by default. */
const STANDARD: readonly CaseName[] = [...MIXES, 'alone'];

const ON_EVERY_DATABASE: ReadonlySet<CaseName> = new Set<CaseName>([
  ...MIXES,
  'beside',
  'locks',
  'cold',
]);

/** The products and orders suffice for this many details. */
const ROWS_MAX = 1_000_000;

export type CaseName = (typeof CASES)[number];

export type LoadTool = 'wrk' | 'autocannon';

export interface BenchOptions {
  readonly cases: readonly CaseName[];
  /** Undefined: all participants of each case. */
  readonly participants: readonly string[] | undefined;
  /** Another commit of Rowgate that is measured, too. */
  readonly against: string | undefined;
  /** Whether the servers of `bench/peers` are measured. */
  readonly peers: boolean;
  readonly seconds: number;
  /** In total, for each participant and each number of connections. */
  readonly warmupSeconds: number;
  readonly rounds: number;
  /** Of each load of `beside` and `locks`. */
  readonly scenarioSeconds: number;
  /** Rows of each import. */
  readonly importRows: number;
  readonly connections: readonly number[];
  /** Undefined: wrk if it is installed, otherwise autocannon. */
  readonly load: LoadTool | undefined;
  readonly databases: readonly Dialect[];
  /** A PostgreSQL server; undefined: an embedded one, which is deleted afterwards. */
  readonly databaseUrl: string | undefined;
  /** How clients connect to the embedded server. */
  readonly socket: SocketKind;
  /** Further options for `rowgate serve`. */
  readonly rowgateWords: readonly string[];
  /** The folder for Rowgate's processor profiles; undefined: none are written. */
  readonly profileDirectory: string | undefined;
  /** The file for the results as JSON. */
  readonly jsonFile: string | undefined;
}

/** An invalid command line; the message is for the user. */
export class UsageError extends Error {}

/** Breaks a list of names into lines of the help. */
const inLines = (names: readonly string[]) =>
  names.join(', ').replaceAll(/(.{60}\S*) /g, `$1\n${' '.repeat(24)}`);

export const USAGE = `Usage: npm run bench -- [OPTION …]

  --only CASE,…         the mixes: ${inLines(MIXES)};
                        or ${inLines(CASES.slice(MIXES.length))}
                        (default: the mixes and alone)
  --against COMMIT      also builds that commit, and measures it in the same rounds as "before"
  --who NAME,…          rowgate, before, fastify-pg, fastify-mariadb, uws-constant, pgbench
                        (default: all of these), bare-batcher
  --peers               lambdaorm-express and postgraphile, too: point and include, 64 connections
  --seconds N           seconds of each measurement (1; with --quick 2; beside and locks: 30 and 5)
  --warmup N            seconds of load before the first measurement, for each participant
                        and each number of connections, in loads of 2 seconds (3)
  --rounds N            alternating rounds, whose medians are reported (5)
  --rows N              rows of each import (1,000,000)
  --connections N,…     connections of the load generator (64)
  --quick               one round of 2 seconds, after two loads of 1 second to warm up; imports of 100,000 rows
  --load TOOL           wrk or autocannon (wrk where it is installed)
  --database NAME       postgresql or mariadb (both, if the case supports both), or the URL of a
                        PostgreSQL of your own; the bench makes a database in it and drops it
  --socket KIND         tcp or unix: how clients connect to the embedded database (tcp)
  --rowgate=WORD        an option for rowgate serve, such as --rowgate=--workers=1; can be repeated
  --profile FOLDER      writes processor profiles of Rowgate there
  --json FILE           writes the results there`;

const strings = { type: 'string' } as const;

const syntax = {
  only: strings,
  against: strings,
  who: strings,
  peers: { type: 'boolean' },
  seconds: strings,
  warmup: strings,
  rounds: strings,
  rows: strings,
  connections: strings,
  quick: { type: 'boolean' },
  load: strings,
  database: strings,
  socket: strings,
  rowgate: { type: 'string', multiple: true },
  profile: strings,
  json: strings,
  help: { type: 'boolean' },
} as const;

/** Reads the command line; undefined if only help is requested. Throws a {@link UsageError}. */
export function readOptions(argv: readonly string[]): BenchOptions | undefined {
  const given = parse(argv);
  if (given.help === true) return undefined;
  const quick = given.quick === true;
  const peers = given.peers === true;
  return {
    cases: readCases(given.only ?? (peers ? 'point,include' : undefined)),
    participants: given.who?.split(','),
    against: given.against,
    peers,
    seconds: readNumber('seconds', given.seconds, quick ? 2 : 1),
    warmupSeconds: readNumber('warmup', given.warmup, quick ? 2 : 3),
    scenarioSeconds: readNumber('seconds', given.seconds, quick ? 5 : 30),
    rounds: readNumber('rounds', given.rounds, quick ? 1 : 5),
    importRows: readNumber('rows', given.rows, quick ? 100_000 : ROWS_MAX, ROWS_MAX),
    connections: (given.connections ?? '64')
      .split(',')
      .map((text) => readNumber('connections', text, 0)),
    load: readLoad(given.load),
    ...readDatabase(given.database),
    socket: readSocket(given.socket),
    rowgateWords: given.rowgate ?? [],
    profileDirectory: given.profile,
    jsonFile: given.json,
  };
}

/** The cases to run on this database. Most of them support only PostgreSQL. */
export function casesOn(dialect: Dialect, { cases }: BenchOptions): readonly CaseName[] {
  return cases.filter((name) => dialect === 'PostgreSQL' || ON_EVERY_DATABASE.has(name));
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: syntax }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readCases(text: string | undefined): readonly CaseName[] {
  if (text === undefined) return STANDARD;
  const names = text.split(',');
  const unknown = names.find((name) => !CASES.some((known) => known === name));
  if (unknown !== undefined) throw new UsageError(`There is no case '${unknown}'.`);
  return CASES.filter((name) => names.includes(name));
}

function readDatabase(text: string | undefined): Pick<BenchOptions, 'databases' | 'databaseUrl'> {
  if (text === undefined) return { databases: ['PostgreSQL', 'MariaDB'], databaseUrl: undefined };
  if (text === 'mariadb') return { databases: ['MariaDB'], databaseUrl: undefined };
  if (text === 'postgresql') return { databases: ['PostgreSQL'], databaseUrl: undefined };
  if (/^postgres(ql)?:/.test(text)) return { databases: ['PostgreSQL'], databaseUrl: text };
  throw new UsageError(`--database takes postgresql, mariadb or a URL, not '${text}'.`);
}

function readNumber(
  name: string,
  text: string | undefined,
  standard: number,
  most: number = 10_000,
): number {
  if (text === undefined) return standard;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  const range = `from 1 to ${most.toLocaleString('en')}`;
  throw new UsageError(`--${name} takes a whole number ${range}, not '${text}'.`);
}

function readLoad(text: string | undefined): LoadTool | undefined {
  if (text === undefined || text === 'wrk' || text === 'autocannon') return text;
  throw new UsageError(`--load takes wrk or autocannon, not '${text}'.`);
}

function readSocket(text: string | undefined): SocketKind {
  if (text === undefined || text === 'tcp' || text === 'unix') return text ?? 'tcp';
  throw new UsageError(`--socket takes tcp or unix, not '${text}'.`);
}
