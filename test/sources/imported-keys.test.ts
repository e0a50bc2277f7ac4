/** Keys that an import into two databases gives to rows nested in rows without a key. */
import { expect, test } from 'vitest';
import { loadSchema } from '../../src/engine/index.js';
import { createContext } from '../../src/workers/context.js';
import { importDocument } from '../../src/workers/import/import-document.js';
import { push } from '../../src/workers/tasks/ddl.js';
import { driverOf } from '../support/drivers.js';
import { createThrowawayDatabase, withClient } from '../support/embedded.js';
import { createMariadbDatabase, describeMariadb } from '../support/mariadb.js';
import { settings } from '../workers/test-worker.js';

const id = { name: 'id', type: 'integer', autoIncrement: true };

const entities = [
  { name: 'Shops', primaryKey: ['id'], properties: [id, { name: 'code', length: 9 }] },
  {
    name: 'Orders',
    primaryKey: ['id'],
    properties: [id, { name: 'shop', length: 9 }],
    relations: [
      { name: 'at', from: 'shop', entity: 'Shops', to: 'code', target: 'orders', weak: true },
    ],
  },
  {
    name: 'Details',
    primaryKey: ['id'],
    properties: [id, { name: 'orderId', type: 'integer' }, { name: 'note', length: 9 }],
    relations: [{ name: 'order', from: 'orderId', entity: 'Orders', to: 'id', target: 'details' }],
  },
];

describeMariadb('an import into two databases', () => {
  test('gives rows the keys of their own parents, if some of these are nested in rows of the other database', async () => {
    const [shops, orders] = [await createMariadbDatabase(), await createThrowawayDatabase()];
    const schema = loadSchema({
      domain: { version: '1.0.0', entities },
      infrastructure: {
        sources: [
          { name: 'shops', dialect: 'MariaDB', connection: shops.connection },
          { name: 'orders', dialect: 'PostgreSQL', connection: orders.connection },
        ],
        stages: [
          {
            name: 'default',
            sources: [{ name: 'shops', condition: 'entity == "Shops"' }, { name: 'orders' }],
          },
        ],
      },
    });
    await push({ schema, dryRun: false, say: () => undefined });
    const context = createContext({ ...settings, schema }, driverOf);
    const orderOf = (note: string) => ({ details: [{ note }] });
    const document = {
      entities: [
        { entity: 'Orders', rows: [{ shop: 'b', ...orderOf('own') }] },
        { entity: 'Shops', rows: [{ code: 'a', orders: [orderOf('nested')] }] },
      ],
    };
    async function* body() {
      yield Buffer.from(JSON.stringify(document));
    }
    await importDocument({
      context,
      stage: 'default',
      view: 'default',
      strict: false,
      body: body(),
    });
    const joined = 'SELECT note, shop FROM Details JOIN Orders o ON o.id = orderId ORDER BY note';
    const { rows } = await withClient(orders.connection, (client) => client.query(joined));
    expect(rows).toEqual([
      { note: 'nested', shop: 'a' },
      { note: 'own', shop: 'b' },
    ]);
    await Promise.all(context.sources.all.map((source) => source.close()));
    await Promise.all([shops.drop(), orders.drop()]);
  });
});
