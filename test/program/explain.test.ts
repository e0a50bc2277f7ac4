/** `POST /explain`: the databases' own explanations, on both databases. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '../support/embedded.js';
import { describeServers } from '../support/http-servers.js';
import { describeMariadbProgram } from '../support/mariadb-program.js';
import { ask, post, type Program, until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';
import { planOf, statsOf } from './statistics.js';

const orders =
  'Orders.filter(p=>p.id<=n).include(p=>[p.details.include(d=>d.product), p.customer])';

interface Explained {
  readonly entity: string;
  readonly sentence: string;
  readonly explain: unknown;
  readonly children?: readonly Explained[];
}

/** The entities of a tree, with what a pattern finds in their explanations. */
function found({ entity, explain, children = [] }: Explained, pattern: RegExp): string[] {
  const [what = ''] = pattern.exec(JSON.stringify(explain)) ?? [];
  return [`${entity} ${what}`, ...children.flatMap((child) => found(child, pattern))];
}

/**
 * The members that both databases have in common. `ran` is in the explanation of a statement that
 * was run.
 */
function suite(served: () => Program, { planned, ran }: Record<'planned' | 'ran', RegExp>): void {
  const explain = (query: string, data?: unknown, options?: unknown) =>
    post(served(), '/explain', { query, data, options });

  const entities = ['Orders', 'Orders.details', 'Products', 'Customers'];

  test('explains each statement of a query without running it', async () => {
    const answer = await explain(orders, { n: 3 });
    const tree = answer.json() as Explained;
    expect(found(tree, planned)).toEqual(
      entities.map((entity) => expect.stringMatching(new RegExp(`^${entity} ${planned.source}`))),
    );
    expect(answer.text).not.toMatch(ran);
    expect(tree.sentence).toMatch(/SELECT .* FROM/);
  });

  test('runs the statements on request', async () => {
    const tree = (await explain(orders, { n: 3 }, { analyze: true })).json() as Explained;
    expect(found(tree, ran)).toEqual(
      entities.map((entity) => expect.stringMatching(new RegExp(`^${entity} .*${ran.source}`))),
    );
  });

  test('runs the statements of includes of many rows', async () => {
    // Not all of the 2400 parents are read: those that are left are cancelled.
    for (let round = 0; round < 10; round += 1) {
      const query = 'Orders.details.include(d=>[d.product, d.order])';
      const tree = (await explain(query, undefined, { analyze: true })).json() as Explained;
      expect(found(tree, ran)).toEqual(
        ['Orders.details', 'Products', 'Orders'].map((entity) =>
          expect.stringMatching(new RegExp(`^${entity} .*${ran.source}`)),
        ),
      );
    }
  });

  test('explains no include without parents if the statements run', async () => {
    const tree = (await explain(orders, { n: -1 }, { analyze: true })).json() as Explained;
    expect(tree.explain).not.toBeNull();
    expect(tree.children?.map((child) => child.explain)).toEqual([null, null]);
  });

  test('refuses writes, unknown options, and data that does not fit', async () => {
    const write = await explain('Shippers.delete().filter(p=>p.id==1)', undefined, {
      analyze: true,
    });
    expect([write.status, write.json()]).toMatchObject([400, { code: 'unsupported' }]);
    const option = await explain(orders, { n: 1 }, { analyse: true });
    expect([option.status, option.text]).toEqual([400, expect.stringContaining("'analyze'")]);
    const kind = await explain(orders, { n: 1 }, { analyze: 'yes' });
    expect([kind.status, kind.json()]).toMatchObject([400, { code: 'options-invalid' }]);
    const data = await explain(orders, {});
    expect([data.status, data.json()]).toMatchObject([400, { code: 'parameter-missing' }]);
    const rows = await post(served(), '/execute', { query: 'Shippers.filter(p=>p.id==1).count()' });
    expect(rows.text).toBe('[{"count":1}]');
  });
}

describeServers('explanations of PostgreSQL, behind %s,', (http) => {
  let server: SampleServer;
  let program: Program;

  beforeAll(async () => {
    server = await startSampleServer();
    program = await server.start(['--http-server', http, '--statement-timeout-ms', '1000']);
    await until('it is ready', async () => (await ask(program, '/readyz')).status === 200);
  });
  afterAll(async () => {
    await program.stop();
    await server.stop();
  });

  suite(() => program, { planned: /"Node Type":/, ran: /"Actual Total Time":/ });

  test('are indented on request, and are not part of the statistics', async () => {
    const query = 'Products.filter(p=>p.id==id)';
    await post(program, '/execute', { query, data: { id: 1 } });
    const answer = await post(program, '/explain?format=beautiful', { query, data: { id: 1 } });
    expect(JSON.stringify(answer.json(), null, 2)).toBe(answer.text);
    expect(planOf(await statsOf(program), query).calls).toBe(1);
  });

  test('have the time limit of a statement', async () => {
    await withClient(server.connection, async (client) => {
      await client.query('BEGIN; LOCK TABLE Products IN ACCESS EXCLUSIVE MODE');
      const answer = await post(program, '/explain', { query: 'Products' });
      expect([answer.status, answer.json()]).toMatchObject([504, { code: 'statement-timeout' }]);
    });
  });
});

describeMariadbProgram('explanations', [], (served) => {
  suite(() => served.program, { planned: /"access_type":/, ran: /"r_total_time_ms":/ });
});
