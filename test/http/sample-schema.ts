/** A small schema for tests of the gateway, whose databases are never reached. */

export const sampleSchema = {
  domain: {
    version: '1.2.3',
    enums: [{ name: 'Colour', values: [{ name: 'red', value: 1 }] }],
    entities: [
      {
        name: 'Orders',
        primaryKey: ['id'],
        uniqueKey: [],
        indexes: [],
        properties: [
          { name: 'id', type: 'integer', required: true, autoIncrement: true },
          { name: 'name' },
          { name: 'price', type: 'decimal', default: 0 },
        ],
        relations: [],
      },
      {
        name: 'Orders.details',
        primaryKey: ['orderId'],
        uniqueKey: [],
        indexes: [],
        properties: [{ name: 'orderId', type: 'integer', required: true }],
        relations: [
          {
            name: 'order',
            type: 'oneToMany',
            composite: true,
            from: 'orderId',
            entity: 'Orders',
            to: 'id',
            target: 'details',
          },
        ],
      },
    ],
  },
  infrastructure: {
    mappings: [
      {
        name: 'default',
        entities: [
          {
            name: 'Orders',
            mapping: 'Orders',
            properties: [
              { name: 'id', mapping: 'OrderID' },
              { name: 'name', mapping: 'Name' },
              { name: 'price', mapping: 'Price' },
            ],
          },
          {
            name: 'Orders.details',
            mapping: '"Order Details"',
            properties: [{ name: 'orderId', mapping: 'OrderID' }],
          },
        ],
      },
    ],
    sources: [
      {
        name: 'default',
        dialect: 'PostgreSQL',
        mapping: 'default',
        connection: { host: '127.0.0.1', port: 1, user: 'x', password: 'secret', database: 'x' },
      },
    ],
    views: [
      { name: 'default', entities: [] },
      {
        name: 'narrow',
        entities: [
          { name: 'Orders', properties: [{ name: 'price', exclude: true }] },
          { name: 'Orders.details', exclude: true },
        ],
      },
    ],
    stages: [
      { name: 'default', sources: [{ name: 'default' }] },
      { name: 'broken', sources: [{ name: 'default' }] },
      { name: 'forced', view: 'narrow', sources: [{ name: 'default' }] },
      { name: 'absent', sources: [{ name: 'default' }] },
    ],
  },
} as const;
