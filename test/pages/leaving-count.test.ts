/** A client of a query with `options.count` disconnects: both of its statements are cancelled. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectRaw, rawPost } from '../http/raw-client.js';
import { type StreamsFixture, startStreamsFixture } from '../program/streams-fixture.js';
import { withClient } from '../support/embedded.js';
import { type Program, until } from '../support/program.js';

let fixture: StreamsFixture;
beforeAll(async () => {
  fixture = await startStreamsFixture();
});
afterAll(() => fixture.stop());

/** The number of the program's statements that are running. */
const running = (also = 'true') => fixture.connections(`state <> 'idle' AND ${also}`);

// With a single connection, the rows are requested after the total.
describe.each([1, 4])('with connections: %d', (connections) => {
  let program: Program;
  beforeAll(async () => {
    const flags = ['--workers', '1', '--connections', String(connections)];
    program = await fixture.start([...flags, '--statement-timeout-ms', '0']);
  });
  afterAll(async () => {
    expect(await program.stop()).toBe(0);
  });

  /** Sends a query whose answer is not read, and leaves when so many of its statements wait. */
  async function leave(query: string, statements: number, event: string): Promise<void> {
    const client = await connectRaw(program.port);
    client.socket.pause();
    client.send(rawPost('/execute', JSON.stringify({ query, options: { count: true } })));
    const isWaiting = async () => (await running(`wait_event = '${event}'`)) === statements;
    await until('its statements wait', isWaiting);
    client.socket.destroy();
    await until('they have ended', async () => (await running()) === 0);
  }

  test('the count and the rows are cancelled while both wait for a lock', () =>
    withClient(fixture.connection, async (holder) => {
      await holder.query('BEGIN; LOCK TABLE notes IN ACCESS EXCLUSIVE MODE');
      await leave('Notes', Math.min(connections, 2), 'relation');
      await holder.query('ROLLBACK');
    }));

  test('the rows are cancelled when the total is known', () => leave('Noise', 1, 'ClientWrite'));
});
