import { describe, expect, it } from 'vitest';
import * as describing from '../../../src/engine/describe/schema.js';
import { details, shippers } from '../../program/expected-answers.js';
import { northwind } from './northwind.js';

const answers = [
  {
    path: '/schema/version',
    actual: describing.describeVersion(northwind),
    answer: { version: '1.0.0' },
  },
  {
    path: '/sources/default',
    actual: describing.describeSource(northwind, 'default'),
    answer: [{ name: 'default', dialect: 'PostgreSQL' }],
  },
  {
    path: '/sources',
    actual: describing.describeSources(northwind),
    answer: [{ name: 'default', dialect: 'PostgreSQL' }],
  },
  { path: '/views', actual: describing.describeViews(northwind), answer: ['default'] },
  { path: '/enums', actual: describing.describeEnums(northwind), answer: [] },
  {
    path: '/stages',
    actual: describing.describeStages(northwind),
    answer: [{ name: 'default', sources: [{ name: 'default' }] }],
  },
  {
    path: '/stages/default',
    actual: describing.describeStage(northwind, 'default'),
    answer: { name: 'default', sources: [{ name: 'default' }] },
  },
  {
    path: '/entities/Orders.details',
    actual: describing.describeEntity(northwind, 'Orders.details'),
    answer: details,
  },
  {
    path: '/mappings/default/Shippers',
    actual: describing.describeMappingEntity(northwind, 'default', 'Shippers'),
    answer: shippers,
  },
];

describe('the answer of a schema endpoint', () => {
  for (const { path, actual, answer } of answers)
    it(`${path} has the members of the interface document, in their order`, () => {
      expect(actual).toStrictEqual(answer);
      expect(JSON.stringify(actual)).toBe(JSON.stringify(answer));
    });

  const entityNames = [
    'Categories',
    'Customers',
    'Employees',
    'Shippers',
    'Suppliers',
    'Products',
    'Orders',
    'Orders.details',
  ];

  it('the domain lists the eight entities of the sample, without the abstract one', () => {
    expect(describing.describeDomain(northwind).entities.map((each) => each.name)).toEqual(
      entityNames,
    );
  });

  it('the schema contains the domain, and the entities are those of the domain', () => {
    const domain = describing.describeDomain(northwind);
    expect(describing.describeSchema(northwind)).toEqual({ version: '1.0.0', domain });
    expect(describing.describeEntities(northwind)).toEqual(domain.entities);
  });

  it('a mapping lists its entities as they are described one by one', () => {
    const mapping = describing.describeMapping(northwind, 'default');
    expect(describing.describeMappings(northwind)).toEqual([mapping]);
    expect(mapping?.entities.map((each) => each.name)).toEqual(entityNames);
    expect(mapping?.entities[7]).toMatchObject({
      name: 'Orders.details',
      mapping: 'Order Details',
    });
  });

  const inverses = [
    {
      entity: 'Categories',
      relation: {
        name: 'products',
        from: 'id',
        to: 'categoryId',
        entity: 'Products',
        target: 'category',
        composite: false,
      },
    },
    {
      entity: 'Suppliers',
      relation: {
        name: 'products',
        from: 'id',
        to: 'supplierId',
        entity: 'Products',
        target: 'supplier',
        composite: false,
      },
    },
    {
      entity: 'Customers',
      relation: {
        name: 'orders',
        from: 'id',
        to: 'customerId',
        entity: 'Orders',
        target: 'customer',
        composite: false,
      },
    },
    {
      entity: 'Employees',
      relation: {
        name: 'orders',
        from: 'id',
        to: 'employeeId',
        entity: 'Orders',
        target: 'employee',
        composite: false,
      },
    },
    {
      entity: 'Products',
      relation: {
        name: 'orderDetails',
        from: 'id',
        to: 'productId',
        entity: 'Orders.details',
        target: 'product',
        composite: false,
      },
    },
    {
      entity: 'Orders',
      relation: {
        name: 'details',
        from: 'id',
        to: 'orderId',
        entity: 'Orders.details',
        target: 'order',
        composite: true,
      },
    },
  ];

  it.each(inverses)('$entity.$relation.name leads to many', ({ entity, relation }) => {
    const described = describing.describeEntity(northwind, entity)?.relations;
    expect(described?.filter(({ type }) => type === 'manyToOne')).toEqual([
      { ...relation, type: 'manyToOne', weak: true },
    ]);
  });

  it('dependents are the entities that reference an entity, with their relation', () => {
    expect(describing.describeEntity(northwind, 'Orders')?.dependents).toEqual([
      {
        entity: 'Orders.details',
        relation: {
          name: 'order',
          type: 'oneToMany',
          from: 'orderId',
          to: 'id',
          entity: 'Orders',
          target: 'details',
          weak: false,
        },
      },
    ]);
    const dependents = entityNames.map((name) => [
      name,
      describing.describeEntity(northwind, name)?.dependents.map((each) => each.entity),
    ]);
    expect(Object.fromEntries(dependents)).toEqual({
      Categories: ['Products'],
      Customers: ['Orders'],
      Employees: ['Employees', 'Orders'],
      Shippers: [],
      Suppliers: ['Products'],
      Products: ['Orders.details'],
      Orders: ['Orders.details'],
      'Orders.details': [],
    });
  });

  it("inherited properties follow the entity's own ones", () => {
    const customers = describing.describeEntity(northwind, 'Customers');
    expect(customers?.properties.map((each) => each.name)).toEqual([
      'id',
      'name',
      'contact',
      'phone',
      'address',
      'city',
      'region',
      'postalCode',
      'country',
    ]);
    expect(customers?.indexes).toEqual([{ name: 'name', fields: ['name'] }]);
  });

  it('defaults are shown with their properties, and by a flag', () => {
    const products = describing.describeEntity(northwind, 'Products');
    expect(products?.hadDefaults).toBe(true);
    expect(products?.properties.slice(5)).toEqual([
      { name: 'price', type: 'decimal', required: false, default: 0 },
      { name: 'inStock', type: 'decimal', required: false, default: 0 },
      { name: 'onOrder', type: 'decimal', required: false, default: 0 },
      { name: 'reorderLevel', type: 'decimal', required: false, default: 0 },
      { name: 'discontinued', type: 'boolean', required: false, default: false },
    ]);
  });

  it('anything unknown is undefined', () => {
    expect(describing.describeEntity(northwind, 'Address')).toBeUndefined();
    expect(describing.describeEnum(northwind, 'Colours')).toBeUndefined();
    expect(describing.describeSource(northwind, 'other')).toBeUndefined();
    expect(describing.describeMapping(northwind, 'other')).toBeUndefined();
    expect(describing.describeMappingEntity(northwind, 'default', 'Nobody')).toBeUndefined();
    expect(describing.describeMappingEntity(northwind, 'other', 'Orders')).toBeUndefined();
    expect(describing.describeStage(northwind, 'other')).toBeUndefined();
  });
});
