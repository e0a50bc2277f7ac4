/** A program on each database, whose log of statements is read. */
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeTemporaryDirectory, withClient } from '../support/embedded.js';
import { createMariadbDatabase, type MariadbServer } from '../support/mariadb.js';
import { fillMariadbWithSample } from '../support/mariadb-sample.js';
import { startProgram, until } from '../support/program.js';
import { connectionUrl, createSampleDatabase } from '../support/sample.js';
import { wholeDocument } from '../views/narrow-schema.js';
import type { Target } from './injection-suite.js';

const CREATE = 'CREATE TABLE canary (id int)';
const CANARIES = 'SELECT id FROM canary';
const SHIPPERS = 'SELECT * FROM Shippers ORDER BY 1';

/** What a target is made of. */
interface Parts {
  readonly document: unknown;
  /** Runs a statement of the test. */
  sql(text: string): Promise<readonly unknown[]>;
  /** The log of the server so far. */
  readLog(): string;
  /** The statements in a part of the log. */
  statementsIn(log: string): readonly string[];
  drop(): Promise<void>;
}

async function startTarget({ document, sql, readLog, statementsIn, drop }: Parts): Promise<Target> {
  const folder = makeTemporaryDirectory();
  const file = join(folder, 'schema.json');
  writeFileSync(file, JSON.stringify(document));
  const program = await startProgram(['--schema', file, '--workers', '1', '--sql-comments', 'on']);
  await sql(CREATE);
  let last = '';
  return {
    program,
    async statements() {
      // What is logged before this statement has been executed before it.
      const mark = `SELECT '${randomUUID()}'`;
      await sql(mark);
      const log = await until('the log has the mark', () => {
        const text = readLog();
        return text.includes(mark) ? text : '';
      });
      const whole = log.slice(0, log.lastIndexOf(mark));
      const from = last === '' ? 0 : whole.lastIndexOf(last);
      if (from === -1) throw new Error('The log has lost statements.');
      last = mark;
      return statementsIn(whole.slice(from)).filter(
        (each) => ![CREATE, CANARIES, SHIPPERS].includes(each.trim()),
      );
    },
    canaries: () => sql(CANARIES),
    shippers: () => sql(SHIPPERS),
    async stop() {
      await program.stop();
      await drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function startPostgresqlTarget(): Promise<Target> {
  const { connection, drop } = await createSampleDatabase();
  const sql = (text: string) =>
    withClient(connection, async (client) => (await client.query(text)).rows);
  // A statement with an error of syntax is logged only with its error.
  for (const setting of [
    "log_statement = 'all'",
    "log_min_messages = 'error'",
    'log_parameter_max_length = 0',
  ]) {
    await sql(`ALTER DATABASE ${connection.database} SET ${setting}`);
  }
  const [{ data_directory: folder }] = (await sql('SHOW data_directory')) as [
    { readonly data_directory: string },
  ];
  const log = join(dirname(folder), 'server.log');
  return startTarget({
    document: wholeDocument('PostgreSQL', connectionUrl(connection)),
    sql,
    readLog: () => textOf(`${log}.1`) + textOf(log),
    statementsIn: (text) =>
      text.split(/^\d{4}-\d\d-\d\d .{12} UTC \[\d+\] /m).flatMap((entry) => {
        const [, statement] =
          /^(?:STATEMENT: {2}|LOG: {2}(?:statement|execute [^:]*): )(.*)/s.exec(entry) ?? [];
        return statement === undefined ? [] : [statement];
      }),
    drop,
  });
}

/** The server must write its general log into a file. */
export async function startMariadbTarget(server: MariadbServer): Promise<Target> {
  const database = await createMariadbDatabase(server);
  await fillMariadbWithSample(database);
  const sql = (text: string) =>
    database.withClient(async (client) => {
      await client.query("SET SESSION sql_mode = 'ANSI_QUOTES'");
      const rows: unknown = await client.query(text);
      return Array.isArray(rows) ? [...rows] : [];
    });
  const [{ folder, file }] = (await sql(
    'SELECT @@datadir AS folder, @@general_log_file AS file',
  )) as [{ readonly folder: string; readonly file: string }];
  return startTarget({
    document: wholeDocument('MariaDB', database.connection),
    sql,
    readLog: () => textOf(join(folder, file)),
    // `Execute` has the values of the parameters in its text.
    statementsIn: (text) =>
      text.split(/^(?:\d{6} +\d+:\d\d:\d\d)?\t+ *\d+ (?=[A-Z])/m).flatMap((entry) => {
        const [, statement] = /^(?:Prepare|Query)\t(.*)/s.exec(entry) ?? [];
        return statement === undefined ? [] : [statement];
      }),
    drop: database.drop,
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
