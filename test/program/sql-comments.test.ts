/** `--sql-comments`: the trace of a request, as a database sees it in its running statements. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockOf } from '../docs/blocks.js';
import { withClient } from '../support/embedded.js';
import { describeServers } from '../support/http-servers.js';
import { describeMariadbProgram } from '../support/mariadb-program.js';
import { ask, post, type Program, until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

const trace = (digit: string) => `00-${digit.repeat(32)}-00f067aa0ba902b7-01`;
const read = { query: 'Shippers.filter(p=>p.id==id).map(p=>p.name)', data: { id: 1 } };

/** The end of a statement, as the document shows it, and the trace of its request. */
const [, shown = ''] = /^SELECT … (.*)$/.exec(blockOf('docs/observability.md', 'SELECT …')) ?? [];
const [, shownTrace = ''] = /traceparent='(.*)'/.exec(shown) ?? [];

/** `during` locks the table Shippers, and passes a function that shows the running statements. */
function suite(
  served: () => Program,
  during: (work: (running: () => Promise<readonly string[]>) => Promise<void>) => Promise<void>,
): void {
  const send = (path: string, body: unknown, traceparent: string) =>
    post(served(), path, body, traceparent === '' ? {} : { traceparent });

  test.each([
    ['a read', '/execute', read],
    ['a write', '/execute', { query: 'Shippers.filter(p=>p.id==1).update({phone: "1"})' }],
    ['a list of queries', '/execute', [read]],
    ['a transaction', '/transaction', [read]],
  ])('%s has its trace in its statements', async (_, path, body) => {
    const given = trace('a');
    let answer: ReturnType<typeof send> | undefined;
    await during(async (running) => {
      answer = send(path, body, given);
      await until('the statement waits', async () => {
        const comment = `/*traceparent='${given}'*/`;
        return (await running()).some((text) => text.trimEnd().endsWith(comment));
      });
    });
    expect((await answer)?.status).toBe(200);
  });

  test('a read and the count of its rows both have its trace', async () => {
    const given = trace('c');
    let answer: ReturnType<typeof send> | undefined;
    await during(async (running) => {
      answer = send('/execute', { ...read, options: { count: true } }, given);
      await until('both statements wait', async () => {
        const comment = `/*traceparent='${given}'*/`;
        const own = (await running()).filter((text) => text.trimEnd().endsWith(comment));
        return own.length === 2;
      });
    });
    expect((await answer)?.headers.get('x-total-count')).toBe('1');
  });

  test('a read has its trace as docs/observability.md shows it', async () => {
    let answer: ReturnType<typeof send> | undefined;
    await during(async (running) => {
      answer = send('/execute', read, shownTrace);
      const ends = (text: string) => text.trimEnd().replace('= ?', '= $1::int8').endsWith(shown);
      await until('the statement waits', async () => (await running()).some(ends));
    });
    expect((await answer)?.status).toBe(200);
  });

  test.each(['', "00-x'*/ SELECT 1 --", trace('A'), `${trace('b')}-more`])(
    'without a valid trace, there is no comment: %s',
    async (given) => {
      let answer: ReturnType<typeof send> | undefined;
      await during(async (running) => {
        answer = send('/execute', read, given);
        const found = await until('the statement waits', async () =>
          (await running()).find((text) => /SELECT.*Shippers/.test(text)),
        );
        expect(found).not.toContain('/*');
      });
      expect((await answer)?.status).toBe(200);
    },
  );

  test('requests of different traces get their own rows', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => {
        const body = { ...read, data: { id: 1 + (n % 3) } };
        return send('/execute', body, trace((n % 16).toString(16)));
      }),
    );
    const names = await Promise.all(
      [1, 2, 3].map(async (id) => (await send('/execute', { ...read, data: { id } }, '')).text),
    );
    expect(answers.map(({ text }) => text)).toEqual(answers.map((_, n) => names[n % 3]));
  });
}

describeServers('comments in SQL on PostgreSQL, behind %s,', (http) => {
  let server: SampleServer;
  let program: Program;

  beforeAll(async () => {
    server = await startSampleServer();
    program = await server.start(['--http-server', http, '--sql-comments', 'on']);
    await until('it is ready', async () => (await ask(program, '/readyz')).status === 200);
  });
  afterAll(async () => {
    await program.stop();
    await server.stop();
  });

  suite(
    () => program,
    (work) =>
      withClient(server.connection, async (client) => {
        await client.query('BEGIN; LOCK TABLE Shippers IN ACCESS EXCLUSIVE MODE');
        await work(() =>
          withClient(server.connection, async (other) => {
            // The event may be newer than the text, which is that of the last statement then.
            const { rows } = await other.query<{ query: string }>(
              `SELECT query FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND state = 'active'
                AND datname = current_database()`,
            );
            return rows.map(({ query }) => query);
          }),
        );
        await client.query('ROLLBACK');
      }),
  );
});

describeMariadbProgram('comments in SQL', ['--sql-comments', 'on'], (served) => {
  suite(
    () => served.program,
    (work) =>
      served.database.withClient(async (client) => {
        await client.query('LOCK TABLES Shippers WRITE');
        await work(() =>
          served.database.withClient(async (other) => {
            const rows = await other.query<{ info: string }[]>(
              "SELECT info FROM information_schema.processlist WHERE state LIKE '%lock%' AND db = DATABASE()",
            );
            return rows.map(({ info }) => info);
          }),
        );
        await client.query('UNLOCK TABLES');
      }),
  );
});
