/** Streams all orders of a MariaDB to curl, compared with a dump by MariaDB's own client. */
import type { BenchContext } from '../bench-context.js';
import { ask } from '../cases/ask-server.js';
import { queryRequest } from '../cases/case.js';
import { withRowgate } from '../contestants.js';
import type { DatabaseConnection } from '../database.js';
import { findProgram } from '../find-program.js';
import { median } from '../measure/statistics.js';
import { PRODUCTS } from '../rows.js';
import { runProcess } from '../run-process.js';
import { readByCurl } from '../stream/read-streams.js';
import type { StreamFigure } from '../stream/stream-target.js';
import { openMariadb } from './mariadb-server.js';

const ROUNDS = 5;
const ORDERS = 200_000;
const TIMEOUT_MS = 60_000;
const query = 'Orders';

export async function runMariadbStream(context: BenchContext): Promise<readonly StreamFigure[]> {
  const [curl, client] = [findProgram('curl'), findProgram('mariadb')];
  if (curl === undefined || client === undefined) throw new Error('needs curl and mariadb');
  const database = await openMariadb({ products: PRODUCTS, orders: ORDERS });
  const { say } = context;
  try {
    return await withRowgate({ ...context, database }, async ({ url }) => {
      const statement = await checkedStatement(url);
      const ours: number[] = [];
      const theirs: number[] = [];
      for (let round = 0; round <= ROUNDS; round += 1) {
        const { seconds } = await readByCurl({ curl, url, query });
        const dumped = await dump(client, database.connection, statement);
        say(
          `mariadb-stream ${round}: curl ${seconds.toFixed(3)} s, mariadb ${dumped.toFixed(3)} s`,
        );
        // The first round warms up.
        if (round === 0) continue;
        ours.push(seconds);
        theirs.push(dumped);
      }
      return [figureOf(median(ours), median(theirs))];
    });
  } finally {
    await database.stop();
  }
}

/** The SQL statement of the query, after its answer has been compared with the stored rows. */
async function checkedStatement(url: string): Promise<string> {
  const plan: { sentence: string } = JSON.parse(await ask(url, queryRequest('/plan', query)));
  const rows: readonly { id: number; name: string; freight: number }[] = JSON.parse(
    await ask(url, queryRequest('/execute', `${query}.sort(p=>p.id)`)),
  );
  const isRight = ({ id, name, freight }: (typeof rows)[number], index: number) =>
    id === index + 1 && name === `Customer ${id}` && freight === ((id * 13) % 50_000) / 100;
  if (rows.length === ORDERS && rows.every(isRight)) return plan.sentence;
  throw new Error('The answer does not contain the stored orders.');
}

/** How many seconds MariaDB's client takes to write the rows as text. */
async function dump(
  program: string,
  { host, port, user, database }: DatabaseConnection,
  statement: string,
): Promise<number> {
  const words = [
    ...['--no-defaults', '-h', host, '-P', String(port), '-u', user, '-D', database],
    ...['--quick', '--batch', '--skip-column-names', '-e', statement],
  ];
  const shell = ['-c', 'exec "$0" "$@" >/dev/null', program, ...words];
  const startedAt = performance.now();
  await runProcess({ program: '/bin/sh', words: shell }, TIMEOUT_MS);
  return (performance.now() - startedAt) / 1000;
}

function figureOf(ours: number, theirs: number): StreamFigure {
  return {
    what: '200,000 orders of MariaDB: speed beside the dump of its client',
    unit: '×',
    measured: theirs / ours,
    target: 0.4,
    least: 0.25,
    details: `${ours.toFixed(2)} s; ${theirs.toFixed(2)} s`,
  };
}
