/** Tables whose sort keys have equal values and nulls, for suites on both databases. */
import { afterAll, beforeAll, describe } from 'vitest';
import { parse } from 'yaml';
import { type OwnDatabase, useOwnMariadb, useOwnPostgresql } from '../introspect/own-database.js';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryDirectory } from '../support/embedded.js';
import { describeMariadb } from '../support/mariadb.js';
import { post, type Program, runCommand, startProgram } from '../support/program.js';

export const ITEMS = 137;

const columns = `id integer PRIMARY KEY, shelf integer NOT NULL, name varchar(40), weight decimal(9, 3),
  ratio double precision, packed date, seen TIMESTAMP_TYPE NULL, gauge REAL_TYPE`;

function valuesOf(id: number): string {
  const maybe = (nth: number, text: string) => (id % nth === 0 ? 'NULL' : text);
  return `(${id}, ${id % 7}, ${maybe(5, `'${'abAB é'[id % 6]}${id % 4}'`)}, ${maybe(4, `${(id % 9) / 8}`)},
    ${maybe(6, `${(id % 11) / 10}`)}, ${maybe(3, `'2024-0${1 + (id % 8)}-11'`)},
    ${maybe(8, `'2024-01-01 00:00:00.00000${id % 10}'`)}, ${maybe(9, `${(id % 3) + 0.1}`)})`;
}

const rows = Array.from({ length: ITEMS }, (_, index) => valuesOf(index + 1)).join(',\n');

function sqlOf(timestamp: string, real: string): string {
  return `CREATE TABLE item (${columns.replace('TIMESTAMP_TYPE', timestamp).replace('REAL_TYPE', real)}, UNIQUE (shelf, id));
    CREATE TABLE price (item_id integer NOT NULL, day date NOT NULL, amount decimal(8, 2) NOT NULL,
      PRIMARY KEY (day, item_id), FOREIGN KEY (item_id) REFERENCES item (id));
    CREATE TABLE note (text varchar(20));
    INSERT INTO item VALUES ${rows};
    INSERT INTO price SELECT id, '2024-03-01', id * 1.5 FROM item WHERE id <= 60;
    INSERT INTO price SELECT id, '2024-04-01', id * 2 FROM item WHERE id <= 40;
    INSERT INTO note VALUES ('a'), ('b'), ('b')`;
}

/** The programs on such a database. */
export interface Stock {
  readonly program: Program;
  /**
   * Under the view `few`, the items from 3 on are hidden; under `nameless`, the names; and under
   * `keyless`, the ids.
   */
  readonly viewed: Program;
}

/** Declares a suite on PostgreSQL and MariaDB. The programs run from the start of the suite. */
export function describeStock(name: string, suite: (stock: Stock) => void): void {
  describe(`${name} on PostgreSQL`, () => {
    suite(useStock(useOwnPostgresql(sqlOf('timestamp(6)', 'real'))));
  });
  describeMariadb(name, () => {
    suite(useStock(useOwnMariadb(sqlOf('DATETIME(6)', 'FLOAT'))));
  });
}

const views = [
  { name: 'default', entities: [] },
  { name: 'few', entities: [{ name: 'Item', readExp: 'id<3' }] },
  {
    name: 'nameless',
    entities: [{ name: 'Item', properties: [{ name: 'name', readExp: '"*"' }] }],
  },
  {
    name: 'keyless',
    entities: [{ name: 'Item', properties: [{ name: 'id', readExp: 'id%7' }] }],
  },
];

/** Each read of prices leaves a note. */
const application = {
  listeners: [
    {
      name: 'seen',
      on: ['select'],
      condition: 'entity == "Price"',
      after: 'Note.insert({text: "seen"})',
    },
  ],
};

function useStock(database: OwnDatabase): Stock {
  const folder = makeTemporaryDirectory();
  const programs: Program[] = [];
  beforeAll(async () => {
    const { url } = database;
    // With a single connection, a request that needs two at the same time is never answered.
    const narrow = ['--workers', '1', '--connections', '1'];
    programs.push(await startProgram(['--url', url, ...narrow]));
    const { stdout } = await runCommand(['introspect', url]);
    const document = parse(stdout);
    const file = join(folder, 'schema.json');
    const infrastructure = { ...document.infrastructure, views };
    writeFileSync(file, JSON.stringify({ ...document, infrastructure, application }));
    const flags = ['--schema', file, '--url', url, '--workers', '1'];
    programs.push(
      await startProgram([
        ...flags,
        '--cors-origins',
        '*',
        '--rows-max',
        '100',
        '--transaction-answer-max',
        '64k',
      ]),
    );
  });
  afterAll(() => Promise.all(programs.map((program) => program.stop())));
  const at = (index: number) => {
    const program = programs[index];
    if (!program) throw new Error('the suite has not begun');
    return program;
  };
  return {
    get program() {
      return at(0);
    },
    get viewed() {
      return at(1);
    },
  };
}

/** Executes a query. */
export function execute(
  program: Program,
  query: string,
  more: object = {},
  headers: Readonly<Record<string, string>> = {},
) {
  return post(program, '/execute', { query, ...more }, headers);
}
