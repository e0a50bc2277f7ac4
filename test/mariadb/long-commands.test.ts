/** Commands and answers longer than a packet of the protocol. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMariadbDatabase, describeOwnMariadb } from '../support/mariadb.js';
import { sendAll, sql, withConnection } from './mysql-source.js';

/** The most bytes in a packet. */
const PACKET = 0xffffff;
const MANY_MS = 60_000;

describeOwnMariadb('long commands', (start) => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start(['--max-allowed-packet=64M']);
  });
  afterAll(() => server.stop());

  test(
    'and long rows are answered among short ones',
    async () => {
      const { connection } = await createMariadbDatabase(server.server);
      await withConnection(
        connection,
        async (own) => {
          const text = (length: number) => sql('SELECT ? AS text, 1 AS one', 'x'.repeat(length));
          // Around the lengths at which a packet is full.
          const lengths = [1, PACKET - 40, PACKET - 20, PACKET, 1, 2 * PACKET, 2 * PACKET + 3, 2];
          const near = Array.from({ length: 4 }, (_, index) => PACKET - 8 - index);
          for (const length of [...lengths, ...near]) {
            const runs = sendAll(own, [text(length), sql('SELECT 2 AS two')]);
            const [long, short] = await Promise.all(runs.map(({ ended }) => ended));
            const [row = []] = long?.[0] ?? [];
            expect([row[0]?.length, row[1], short?.[0]]).toEqual([length, '1', [['2']]]);
          }
        },
        { statementTimeoutMs: MANY_MS },
      );
    },
    MANY_MS,
  );
});
