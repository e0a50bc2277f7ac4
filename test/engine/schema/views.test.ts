import { describe, expect, it, test } from 'vitest';
import {
  describeDomain,
  describeEntity,
  describeEnum,
  describeEnums,
  describeMappings,
} from '../../../src/engine/describe/schema.js';
import { createCatalog, requireStage } from '../../../src/engine/schema/catalog.js';
import { loadSchema } from '../../../src/engine/load/load.js';
import { catalogUnderView } from '../../../src/engine/schema/views.js';
import { lambdaormDocument } from './lambdaorm-file.js';
import { northwindDocument } from './northwind.js';

const whole = createCatalog(loadSchema(lambdaormDocument()));
const guest = catalogUnderView(whole, 'guest');

describe('a catalog under a view', () => {
  it('is the whole catalog if the view restricts nothing', () => {
    expect(catalogUnderView(whole, 'default')).toBe(whole);
  });

  it('is created once, also from another view of the schema', () => {
    expect(catalogUnderView(whole, 'guest')).toBe(guest);
    expect(catalogUnderView(guest, 'guest')).toBe(guest);
    expect(catalogUnderView(guest, 'default')).toBe(whole);
    expect(guest.unrestricted).toBe(whole);
    expect(guest.activeView?.name).toBe('guest');
  });

  it('has no excluded entity, and no relation or dependent of one', () => {
    expect(guest.entity('Statuses')).toBeUndefined();
    const mapped = guest.schema.mappings.flatMap(({ entities }) => entities);
    expect(mapped.map(({ name }) => name)).not.toContain('Statuses');
    expect(whole.relation('Devices', 'status')).toBeDefined();
    expect(guest.relation('Devices', 'status')).toBeUndefined();
    expect(guest.entity('Devices')?.dependents.map((each) => each.entity)).toEqual([
      'Devices.components',
    ]);
  });

  it('has no excluded property', () => {
    expect(guest.property('Users', 'lastname')).toBeUndefined();
    expect(guest.property('Users', 'username')).toBeDefined();
  });

  it('has no excluded property in the list of required ones', () => {
    const lists = createCatalog(
      loadSchema({
        domain: {
          entities: [
            { name: 'A', required: ['x', 'y'], properties: [{ name: 'x' }, { name: 'y' }] },
          ],
        },
        infrastructure: {
          views: [
            { name: 'v', entities: [{ name: 'A', properties: [{ name: 'y', exclude: true }] }] },
          ],
        },
      }),
    );
    expect(describeEntity(catalogUnderView(lists, 'v'), 'A')).toMatchObject({ required: ['x'] });
  });

  it('reads a property as the view defines, and filters the rows', () => {
    expect(guest.property('Users', 'email')?.readExp).toBe('mask(email)');
    expect(whole.property('Users', 'email')?.readExp).toBeUndefined();
    expect(guest.rowFilter('Users')).toBe('username == "guest"');
    expect(guest.rowFilter('Devices')).toBeUndefined();
  });

  it('still finds the hidden columns', () => {
    expect(guest.locate('default', 'Devices', 'select')?.columns.get('id')?.mapping).toBe('ID');
  });

  it('describes nothing that is excluded', () => {
    const described = JSON.stringify([describeDomain(guest), describeMappings(guest)]);
    expect(described).not.toContain('lastname');
    expect(described).not.toContain('last_name');
    expect(described).not.toContain('Statuses');
    expect(describeEntity(guest, 'Users')).toMatchObject({
      hadViewReadExp: true,
      hadReadExps: true,
    });
    expect(describeEntity(guest, 'Devices')).toMatchObject({ hadViewReadExp: false });
  });

  it('that does not exist is an error with a hint', () => {
    expect(() => catalogUnderView(whole, 'gest')).toThrow(
      expect.objectContaining({
        code: 'unknown-view',
        message: "There is no view 'gest'.",
        hint: "Did you mean 'guest'?",
      }),
    );
    const names = whole.schema.views.map(({ name }) => name).join(', ');
    expect(() => catalogUnderView(whole, 'none')).toThrow(
      expect.objectContaining({ hint: `The schema has the views ${names}.` }),
    );
  });
});

test.each([
  ['defalt', "Did you mean 'default'?"],
  ['qq', 'The schema has: default.'],
])('a stage %s that does not exist is an error with a hint', (name, hint) => {
  const catalog = createCatalog(loadSchema({ domain: { entities: [] } }));
  expect(() => requireStage(catalog, name)).toThrow(
    expect.objectContaining({ message: `There is no stage '${name}'.`, hint }),
  );
});

test('a view hides the enums of which it excludes all properties', () => {
  const colored = (name: string, colors: readonly string[]) => ({
    name,
    properties: colors.map((color) => ({ name: color.toLowerCase(), enum: color })),
  });
  const values = [{ name: 'first', value: 'f' }];
  const schema = loadSchema({
    domain: {
      version: '1.0.0',
      enums: ['Red', 'Green', 'Blue', 'Unused'].map((name) => ({ name, values })),
      entities: [colored('Shown', ['Red', 'Green']), colored('Hidden', ['Green', 'Blue'])],
    },
    infrastructure: {
      sources: [{ name: 'default', dialect: 'PostgreSQL', connection: 'postgresql://127.0.0.1/' }],
      views: [
        {
          name: 'narrow',
          entities: [
            { name: 'Hidden', exclude: true },
            { name: 'Shown', properties: [{ name: 'red', exclude: true }] },
          ],
        },
      ],
    },
  });
  const narrow = catalogUnderView(createCatalog(schema), 'narrow');
  expect(describeEnums(narrow).map(({ name }) => name)).toEqual(['Green', 'Unused']);
  expect(describeEnum(narrow, 'Red')).toBeUndefined();
});

describe('a view that excludes a key', () => {
  const document = northwindDocument();
  const narrow = {
    name: 'narrow',
    entities: [
      {
        name: 'Orders',
        properties: [
          { name: 'customerId', exclude: true },
          { name: 'orderDate', exclude: true },
        ],
      },
      { name: 'Orders.details', properties: [{ name: 'productId', exclude: true }] },
    ],
  };
  const catalog = catalogUnderView(
    createCatalog(loadSchema({ ...Object(document), infrastructure: { views: [narrow] } })),
    'narrow',
  );

  it('hides the relations on both sides of it', () => {
    expect(catalog.relation('Orders', 'customer')).toBeUndefined();
    expect(catalog.relation('Customers', 'orders')).toBeUndefined();
    expect(catalog.relation('Orders', 'employee')).toBeDefined();
    expect(catalog.entity('Customers')?.dependents).toEqual([]);
  });

  it('hides the keys and indexes that it is part of', () => {
    expect(catalog.entity('Orders.details')?.primaryKey).toEqual([]);
    expect(catalog.entity('Orders')?.indexes.map((index) => index.name)).toEqual(['shippedDate']);
    expect(catalog.unrestricted.entity('Orders.details')?.primaryKey).toEqual([
      'orderId',
      'productId',
    ]);
  });
});
