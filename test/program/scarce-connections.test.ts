import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { loadSchema } from '../../src/engine/index.js';
import { findScarceConnections } from '../../src/workers/tasks/find-scarce-connections.js';
import {
  createMariadbDatabase,
  describeMariadb,
  type MariadbDatabase,
} from '../support/mariadb.js';
import { type LogLine, type Program, until } from '../support/program.js';
import { type SampleServer, startSampleServer } from '../support/sample-program.js';

let server: SampleServer;
beforeAll(async () => {
  server = await startSampleServer();
});
afterAll(() => server.stop());

/** The first line of the log about this event. */
const lineOf = ({ log }: Program, event: string): Promise<LogLine | undefined> =>
  until(`${event} is logged`, () => log.find((line) => line['event'] === event));

it('logs how many connections there may be, and warns if the server allows fewer', async () => {
  const program = await server.start(['--workers', '2', '--connections', '9999']);
  onTestFinished(async () => void (await program.stop()));
  expect(await lineOf(program, 'connections')).toMatchObject({ perSource: 9999, level: 30 });
  const warning = await lineOf(program, 'connections-scarce');
  expect(warning).toMatchObject({ source: 'default', connections: 9999, level: 40 });
  expect(warning?.['allowed']).toBeLessThan(9999);
});

it('does not wait for a source that cannot be reached', async () => {
  const connection = { host: '127.0.0.1', port: 1 };
  const sources = [{ name: 'far', dialect: 'PostgreSQL', connection }];
  const schema = loadSchema({ domain: { entities: [] }, infrastructure: { sources } });
  expect(await findScarceConnections(schema, 5)).toEqual([]);
});

describeMariadb('the server', () => {
  let database: MariadbDatabase;
  beforeAll(async () => {
    database = await createMariadbDatabase();
  });
  afterAll(() => database.drop());

  it('is asked how many connections it allows', async () => {
    const { connection } = database;
    const sources = [{ name: 'shop', dialect: 'MariaDB', connection }];
    const schema = loadSchema({ domain: { entities: [] }, infrastructure: { sources } });
    expect(await findScarceConnections(schema, 1)).toEqual([]);
    const [scarce] = await findScarceConnections(schema, 1_000_000);
    expect(scarce).toMatchObject({ source: 'shop', connections: 1_000_000 });
    expect(scarce?.allowed).toBeGreaterThan(0);
  });
});
