/** Packets that are broken on their way to the connection that reads tables, which the server uses in its own thread. */
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { connectTables } from '../../src/workers/database/mysql/tables.js';
import { createMariadbDatabase, describeMariadb } from '../support/mariadb.js';

/** The fixed part of a column's description: its length, collation, width, and the type of a text. */
const TEXT_COLUMN = /\x0c[^][\0\x01][^]{4}[\xfc-\xfe]/g;

/** Gives text columns a collation that does not exist. */
function broken(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1').replace(TEXT_COLUMN, (part) => {
    return `\x0c\xff\xff${part.slice(3)}`;
  });
  return Buffer.from(text, 'latin1');
}

describeMariadb('a broken packet', () => {
  test('fails the query, and not the process', async () => {
    const database = await createMariadbDatabase();
    const { host, port } = database.connection;
    let isBroken = false;
    const sockets: net.Socket[] = [];
    const proxy = net.createServer((client) => {
      const server = net.connect({ host, port });
      sockets.push(client, server);
      client.on('data', (bytes) => server.write(bytes)).on('error', () => undefined);
      server.on('data', (bytes) => client.write(isBroken ? broken(bytes) : bytes));
      client.on('close', () => server.destroy());
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const through = { host: '127.0.0.1', port: (proxy.address() as AddressInfo).port };
    const connection = await connectTables({ connection: { ...database.connection, ...through } });
    const { database: name } = database.connection;
    expect(await connection.readDatabase?.()).toMatchObject({ name });
    isBroken = true;
    await expect(connection.readDatabase?.()).rejects.toThrow();
    await connection.close();
    for (const socket of sockets) socket.destroy();
    proxy.close();
    await database.drop();
  });
});
