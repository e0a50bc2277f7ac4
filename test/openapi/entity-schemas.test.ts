/** The schemas of entities and enums allow exactly the values that are answered. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { createCatalog, loadSchema } from '../../src/engine/index.js';
import { entitySchemas } from '../../src/gateway/openapi/entity-schemas.js';

const colours = [
  { name: 'red', value: 1 },
  { name: 'green', value: 2 },
  { name: 'lime', value: 2 },
];
const properties = [
  { name: 'id', type: 'integer', required: true },
  { name: 'colour', type: 'integer', enum: 'Colour' },
  { name: 'day', type: 'date' },
  { name: 'at', type: 'time', required: true },
];
const schema = loadSchema({
  domain: {
    version: '1.0.0',
    enums: [{ name: 'Colour', values: colours }],
    entities: [{ name: 'Thing', primaryKey: ['id'], properties }],
  },
  infrastructure: {
    mappings: [{ name: 'default', entities: [{ name: 'Thing', mapping: 'thing' }] }],
    sources: [
      {
        name: 'default',
        dialect: 'PostgreSQL',
        mapping: 'default',
        connection: { host: 'x', database: 'x' },
      },
    ],
    stages: [{ name: 'default', sources: [{ name: 'default' }] }],
  },
});
const schemas = entitySchemas({
  catalog: createCatalog(schema),
  isVisible: () => true,
  seesUnusedEnums: true,
});
const { properties: described } = Object(schemas['Thing']);

test('an enum contains its values, each once', () => {
  expect(described.colour).toEqual({
    oneOf: [{ $ref: '#/components/schemas/enum.Colour' }, { type: 'null' }],
  });
  expect(schemas['enum.Colour']).toEqual({ enum: [1, 2] });
});

test('a date is a date-time, as it is answered', () => {
  expect(described.day).toEqual({ type: ['string', 'null'], format: 'date-time' });
});

test.each([
  ['08:30:00', true],
  ['08:30:00.123456', true],
  ['-01:00:00', true],
  ['100:00:00', true],
  ['-838:59:59', true],
  ['8:30:00', false],
  ['08:30', false],
  ['08:30:00Z', false],
])('a time may be %s: %s', (time, isTime) => {
  expect(new Ajv2020().validate(described.at, time)).toBe(isTime);
});
