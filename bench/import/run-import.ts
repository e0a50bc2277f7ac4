/** The case that imports: rows through Rowgate beside COPY of the same ones. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { BenchContext } from '../bench-context.js';
import { type Contestant, startContestant } from '../contestants.js';
import { type DatabaseConnection, withClient } from '../database.js';
import { findProgram } from '../find-program.js';
import { median } from '../measure/statistics.js';
import { runProcess } from '../run-process.js';
import type { StreamFigure } from '../stream/stream-target.js';
import { watchMemory } from '../stream/watch-memory.js';
import {
  emptyDetails,
  makeImportDatabase,
  readStored,
  type StoredRows,
  writeRows,
} from './import-database.js';

const TIMEOUT_MS = 240_000;
const MIB = 1024 * 1024;
const COPY = 'COPY "Order Details" (OrderID, ProductID, UnitPrice, Quantity, Discount) FROM STDIN';

interface Files {
  readonly document: string;
  readonly lines: string;
}

/** Rounds of COPY and import in turn; the rows of both are the same, or it fails. */
export async function runImport(context: BenchContext): Promise<readonly StreamFigure[]> {
  const { database, directory, options, constant, say } = context;
  const files = { document: join(directory, 'import.json'), lines: join(directory, 'import.copy') };
  const rows = options.importRows;
  say(`import: making ${count(rows)} rows`);
  writeRows(rows, files.document, files.lines);
  const { connection, drop } = await makeImportDatabase(database.connection);
  try {
    const { rowgateWords, profileDirectory } = options;
    const settings = { connection, rowgateWords, profileDirectory, constant };
    const rowgate = await startContestant('rowgate', settings);
    try {
      return await runRounds(context, { connection, files, rowgate });
    } finally {
      await rowgate.process.stop();
    }
  } finally {
    await drop();
  }
}

interface Imports {
  readonly connection: DatabaseConnection;
  readonly files: Files;
  readonly rowgate: Contestant;
}

async function runRounds({ options, say }: BenchContext, imports: Imports) {
  const { connection, files, rowgate } = imports;
  const { importRows: rows } = options;
  const copied: number[] = [];
  const imported: number[] = [];
  let growth = 0;
  for (let round = 1; round <= options.rounds; round += 1) {
    await emptyDetails(connection);
    copied.push(await timed(() => copyRows(connection, files.lines)));
    const expected = await readStored(connection);
    if (expected.rows !== rows) throw new Error(`COPY stored ${expected.rows} rows`);
    await emptyDetails(connection);
    const memory = watchMemory(rowgate.process.pid);
    imported.push(await timed(() => importRows(rowgate.url, files.document, rows)));
    growth = Math.max(growth, memory.stop() / MIB);
    checkStored(await readStored(connection), expected);
    const [copy = 0, own = 0] = [copied.at(-1), imported.at(-1)];
    say(
      `import ${round}: ${rate(rows, own)}, by COPY ${rate(rows, copy)}, ${growth.toFixed(0)} MiB more`,
    );
  }
  const ratio = median(copied) / median(imported);
  const details = `${rate(rows, median(imported))}; ${rate(rows, median(copied))}`;
  return [
    figure({
      what: `${count(rows)} rows imported: rate / COPY`,
      unit: '×',
      measured: ratio,
      details,
    }),
    figure({ what: 'memory grows by', unit: 'MiB', measured: growth, details: 'of the process' }),
  ];
}

function figure(measured: Omit<StreamFigure, 'target' | 'least'>): StreamFigure {
  const [target, least] = measured.unit === '×' ? [0.75, 0.5] : [64, 128];
  return { ...measured, target, least };
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

/** By psql where it is, else by pg. */
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

/** Sends the file in chunks, as it is read. */
async function importRows(url: string, file: string, rows: number): Promise<void> {
  const program = findProgram('curl');
  if (program === undefined) throw new Error('needs curl');
  const words = [
    ...['-sS', '--fail-with-body', '-X', 'POST', '-T', file],
    ...['-H', 'content-type: application/json', '-H', 'transfer-encoding: chunked'],
    `${url}/stages/default/import`,
  ];
  const { output } = await runProcess({ program, words }, TIMEOUT_MS);
  if (!output.includes(String(rows))) throw new Error(`the import answered ${output}`);
}

function checkStored(stored: StoredRows, expected: StoredRows): void {
  const isSame = stored.rows === expected.rows && stored.checksum === expected.checksum;
  if (!isSame) throw new Error(`stored ${stored.rows} rows, not those that COPY stored`);
}
