/** The cases that store many rows: imports and bulkInsert, compared with COPY of the same rows. */
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { BenchContext } from '../bench-context.js';
import { type Contestant, withRowgate } from '../contestants.js';
import { type DatabaseConnection, makeDatabaseBeside, withClient } from '../database.js';
import { findProgram } from '../find-program.js';
import type { BenchOptions } from '../options.js';
import { median } from '../measure/statistics.js';
import { runProcess } from '../run-process.js';
import { ORDERS, PRODUCTS } from '../rows.js';
import type { StreamFigure } from '../stream/stream-target.js';
import { watchMemory } from '../stream/watch-memory.js';
import { emptyDetails, readStored, type StoredRows, writeRows } from './import-database.js';

const TIMEOUT_MS = 240_000;
const SHOWN_LENGTH = 300;
const MIB = 1024 * 1024;
const COPY = 'COPY "Order Details" (OrderID, ProductID, UnitPrice, Quantity, Discount) FROM STDIN';

interface Files {
  readonly document: string;
  readonly lines: string;
}

/** How many rows arrive at once: in a document, or as the data of a query. */
interface Way {
  readonly name: 'import' | 'bulk';
  /** The text around the rows. */
  readonly frame: readonly [open: string, close: string];
  readonly path: string;
  readonly rows: (options: BenchOptions) => number;
  /** Further arguments for curl, before the file. */
  readonly words: readonly string[];
  /** The target and the minimum of the ratio of the rates. */
  readonly ratios: readonly [target: number, least: number];
  /** The target and the maximum of the memory growth, in MiB. */
  readonly growths: readonly [target: number, least: number];
}

const byImport: Way = {
  name: 'import',
  frame: ['{"entities":[{"entity":"Orders.details","rows":[', ']}]}'],
  path: '/stages/default/import',
  rows: ({ importRows }) => importRows,
  words: ['-X', 'POST', '-H', 'transfer-encoding: chunked', '-T'],
  ratios: [0.75, 0.5],
  growths: [64, 128],
};

/** As many rows as fit into the largest body of a query. */
const BULK_ROWS_MAX = 200_000;

const byBulkInsert: Way = {
  name: 'bulk',
  frame: ['{"query":"Orders.details.bulkInsert()","data":[', ']}'],
  path: '/execute',
  rows: ({ importRows }) => Math.min(importRows, BULK_ROWS_MAX),
  words: ['-H', 'expect:', '--data-binary'],
  ratios: [0.5, 0.4],
  growths: [256, 384],
};

export function runImport(context: BenchContext): Promise<readonly StreamFigure[]> {
  return runWay(context, byImport);
}

export function runBulk(context: BenchContext): Promise<readonly StreamFigure[]> {
  return runWay(context, byBulkInsert);
}

/** Runs COPY and one of the ways in turn. Throws if the stored rows differ. */
async function runWay(context: BenchContext, way: Way): Promise<readonly StreamFigure[]> {
  const { database, directory, options, say } = context;
  const { name, frame } = way;
  const document = join(directory, `${name}.json`);
  const files = { document, lines: join(directory, `${name}.copy`) };
  const rows = way.rows(options);
  say(`${name}: making ${count(rows)} rows`);
  writeRows(rows, { file: document, frame }, files.lines);
  const counts = { products: PRODUCTS, orders: ORDERS };
  const { connection, drop } = await makeDatabaseBeside(database.connection, 'import', counts);
  try {
    return await withRowgate({ ...context, database: { ...database, connection } }, (rowgate) =>
      runRounds(context, { way, rows, connection, files, rowgate }),
    );
  } finally {
    await drop();
  }
}

interface Loads {
  readonly way: Way;
  readonly rows: number;
  readonly connection: DatabaseConnection;
  readonly files: Files;
  readonly rowgate: Contestant;
}

async function runRounds({ options, say }: BenchContext, loads: Loads) {
  const { way, rows, connection, files, rowgate } = loads;
  const copied: number[] = [];
  const loaded: number[] = [];
  let growth = 0;
  for (let round = 1; round <= options.rounds; round += 1) {
    await emptyDetails(connection);
    copied.push(await timed(() => copyRows(connection, files.lines)));
    const expected = await readStored(connection);
    if (expected.rows !== rows) throw new Error(`COPY stored ${expected.rows} rows`);
    await emptyDetails(connection);
    const memory = watchMemory(rowgate.process.pid);
    loaded.push(await timed(() => sendRows(loads)));
    growth = Math.max(growth, memory.stop() / MIB);
    checkStored(await readStored(connection), expected);
    const [copy = 0, own = 0] = [copied.at(-1), loaded.at(-1)];
    const rates = `${rate(rows, own)}, by COPY ${rate(rows, copy)}`;
    say(`${way.name} ${round}: ${rates}, ${growth.toFixed(0)} MiB more`);
  }
  const details = `${rate(rows, median(loaded))}; ${rate(rows, median(copied))}`;
  return figuresOf(loads, { ratio: median(copied) / median(loaded), growth, details });
}

interface Outcome {
  readonly ratio: number;
  readonly growth: number;
  readonly details: string;
}

function figuresOf({ way, rows }: Loads, { ratio, growth, details }: Outcome): StreamFigure[] {
  const [target, least] = way.ratios;
  const [growthTarget, growthLeast] = way.growths;
  const rate = { unit: '×', measured: ratio, target, least, details } as const;
  const memory = { unit: 'MiB', measured: growth, details: 'of the process' } as const;
  return [
    { what: `${way.name} of ${count(rows)} rows: rate / COPY`, ...rate },
    { what: 'memory grows by', ...memory, target: growthTarget, least: growthLeast },
  ];
}

function rate(rows: number, seconds: number): string {
  return `${count(Math.round(rows / seconds))} rows/s`;
}

function count(value: number): string {
  return value.toLocaleString('en');
}

async function timed(run: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return (performance.now() - startedAt) / 1000;
}

/** Through psql if it is installed, otherwise through pg. */
async function copyRows(connection: DatabaseConnection, file: string): Promise<void> {
  const program = findProgram('psql');
  if (program === undefined) {
    await withClient(connection, (client) =>
      pipeline(createReadStream(file), client.query(copyFrom(COPY))),
    );
    return;
  }
  const { host, port, user, database, password } = connection;
  const words = [
    ...['-X', '-q', '-h', host, '-p', String(port), '-U', user, '-d', database],
    ...['-v', 'ON_ERROR_STOP=1', '-c', `\\${COPY.replace('STDIN', `'${file}'`)}`],
  ];
  const environment = password === undefined ? {} : { PGPASSWORD: password };
  await runProcess({ program, words, environment }, TIMEOUT_MS);
}

/** The answer must report all rows. */
async function sendRows({ way, rows, files, rowgate }: Loads): Promise<void> {
  const program = findProgram('curl');
  if (program === undefined) throw new Error('needs curl');
  const { name, path, words: own } = way;
  const file = name === 'bulk' ? `@${files.document}` : files.document;
  const answerFile = `${files.document}.answer`;
  const words = [
    ...['-sS', '--fail-with-body', '-o', answerFile, '-H', 'content-type: application/json'],
    ...[...own, file, `${rowgate.url}${path}`],
  ];
  await runProcess({ program, words }, TIMEOUT_MS);
  const answer = readFileSync(answerFile, 'utf8');
  const isWhole = name === 'import' ? answer.includes(String(rows)) : countOf(answer) === rows;
  if (!isWhole) throw new Error(`${name} answered ${answer.slice(0, SHOWN_LENGTH)}`);
}

function countOf(answer: string): number {
  const stored: unknown = JSON.parse(answer);
  return Array.isArray(stored) ? stored.length : 0;
}

function checkStored(stored: StoredRows, expected: StoredRows): void {
  const isSame = stored.rows === expected.rows && stored.checksum === expected.checksum;
  if (!isSame) throw new Error(`stored ${stored.rows} rows, not those that COPY stored`);
}
