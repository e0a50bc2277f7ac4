/** The schema of the workers' tests, and its tables. */
import type { Connection, DialectName } from '../../src/engine/index.js';

/**
 * Tables with a known number of rows, and a view that takes 10 ms per row. Every other order has
 * details.
 */
export const tables = `
  CREATE TABLE points (id int PRIMARY KEY, name text, big int8, price numeric, qty int);
  INSERT INTO points SELECT i, 'näme "' || i || '"', 9007199254740993 + i, i * 1.25, nullif(i % 10, 0)
    FROM generate_series(1, 1000) i;
  CREATE VIEW many AS SELECT i AS id, md5(i::text) AS name FROM generate_series(1, 300000) i;
  CREATE VIEW slow AS SELECT i AS id, pg_sleep(0.01)::text AS name FROM generate_series(1, 1000) i;
  CREATE VIEW steady AS SELECT i AS id, repeat('x', 40000) || pg_sleep(0.1)::text AS name
    FROM generate_series(1, 30) i;
  CREATE VIEW broken AS SELECT i AS id, (1 / (19000 - i))::text AS name FROM generate_series(1, 20000) i;
  CREATE TABLE orders (id int PRIMARY KEY, customer text);
  INSERT INTO orders SELECT i, 'C' || i % 50 FROM generate_series(1, 2500) i;
  CREATE TABLE details (id int PRIMARY KEY, order_id int, qty int);
  INSERT INTO details SELECT i, 2 * (1 + (i * 7919) % 1250), i % 10 FROM generate_series(1, 9000) i;
  CREATE INDEX ON details (order_id);
`;

/** A schema document with one source. */
export function schemaDocument(
  connection: Connection,
  dialect: DialectName = 'PostgreSQL',
): unknown {
  return documentOf([{ name: 'source' }], connection, dialect);
}

/** The same, with the details in a separate source. */
export function schemaOfTwoSources(connection: Connection): unknown {
  const second = { name: 'another', condition: 'entity == "Details"' };
  return documentOf([second, { name: 'source' }], connection, 'PostgreSQL');
}

interface StageSource {
  readonly name: string;
  readonly condition?: string;
}

function documentOf(
  stageSources: readonly StageSource[],
  connection: Connection,
  dialect: DialectName,
): unknown {
  const common = { dialect, mapping: 'mapping', connection };
  return {
    domain: { version: '1.0.0', entities },
    infrastructure: {
      mappings: [{ name: 'mapping', entities: mappings }],
      sources: stageSources.map(({ name }) => ({ name, ...common })),
      stages: [{ name: 'default', sources: stageSources }],
    },
  };
}

const id = { name: 'id', type: 'integer' };
const name = { name: 'name', type: 'string' };
const quantity = { name: 'qty', type: 'integer' };
const order = {
  name: 'order',
  type: 'oneToMany',
  from: 'orderId',
  entity: 'Orders',
  to: 'id',
  target: 'details',
};
const detailProperties = [id, { name: 'orderId', type: 'integer' }, quantity];

const entities = [
  {
    name: 'Points',
    primaryKey: ['id'],
    properties: [
      id,
      name,
      { name: 'big', type: 'integer' },
      { name: 'price', type: 'decimal' },
      quantity,
    ],
  },
  { name: 'Many', primaryKey: ['id'], properties: [id, name] },
  { name: 'Slow', primaryKey: ['id'], properties: [id, name] },
  { name: 'Steady', primaryKey: ['id'], properties: [id, name] },
  { name: 'Broken', primaryKey: ['id'], properties: [id, name] },
  { name: 'Missing', primaryKey: ['id'], properties: [id, name] },
  { name: 'Orders', primaryKey: ['id'], properties: [id, { name: 'customer', type: 'string' }] },
  { name: 'Details', primaryKey: ['id'], properties: detailProperties, relations: [order] },
];

const mappings = [
  { name: 'Points', mapping: 'points' },
  { name: 'Many', mapping: 'many' },
  { name: 'Slow', mapping: 'slow' },
  { name: 'Steady', mapping: 'steady' },
  { name: 'Broken', mapping: 'broken' },
  { name: 'Missing', mapping: 'missing' },
  { name: 'Orders', mapping: 'orders' },
  { name: 'Details', mapping: 'details', properties: [{ name: 'orderId', mapping: 'order_id' }] },
];
