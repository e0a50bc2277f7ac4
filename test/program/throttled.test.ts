import { createHash } from 'node:crypto';
import Cursor from 'pg-cursor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '../support/embedded.js';
import { describeServers } from '../support/http-servers.js';
import { type LargeFixture, MIB, residentBytes, startLargeFixture } from './large-fixture.js';
import { readThrottled } from './throttled-reader.js';

interface Row {
  readonly id: number;
  readonly name: string;
  readonly amount: string;
  readonly at: string;
}

const SEED = Number(process.env['ROWGATE_TEST_SEED'] ?? '20261121');

let fixture: LargeFixture;
let expected: { readonly hash: string; readonly bytes: number };
beforeAll(async () => {
  fixture = await startLargeFixture();
  expected = await throttledRows();
});
afterAll(() => fixture.stop());

/** The answer to `Throttled`, computed from rows that pg reads. */
function throttledRows() {
  return withClient(fixture.connection, async (client) => {
    const hash = createHash('sha256');
    let bytes = 0;
    const write = (text: string) => {
      hash.update(text);
      bytes += Buffer.byteLength(text);
    };
    const cursor = client.query(
      new Cursor<Row>(`SELECT id, name, amount::text, at::text FROM throttled`),
    );
    let before = '[';
    for (let rows = await cursor.read(2000); rows.length > 0; rows = await cursor.read(2000)) {
      const texts = rows.map(({ id, name, amount, at }) =>
        JSON.stringify({ id, name, amount: Number(amount), at: new Date(`${at}Z`) }),
      );
      write(before + texts.join(','));
      before = ',';
    }
    write(']');
    return { hash: hash.digest('hex'), bytes };
  });
}

describeServers('on %s', (server) => {
  test('170 MB reach a client that reads irregularly, with every byte in its place', async () => {
    const program = await fixture.start(['--http-server', server]);
    try {
      const before = residentBytes(program);
      let most = before;
      const timer = setInterval(() => (most = Math.max(most, residentBytes(program))), 50);
      const { hash, bytes, singles, stops } = await readThrottled(program.port, 'Throttled', SEED);
      clearInterval(timer);
      expect(expected.bytes).toBeGreaterThan(170e6);
      expect({ hash, bytes }).toEqual(expected);
      expect(singles).toBeGreaterThan(1000);
      expect(stops).toBeGreaterThan(0);
      expect(most - before).toBeLessThan(128 * MIB);
    } finally {
      await program.stop();
    }
  });
});
