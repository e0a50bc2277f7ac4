/** What the endpoints that describe a query return for one that writes. */
import { describe, expect, test } from 'vitest';
import {
  compileQuery,
  createCatalog,
  describeConstraints,
  describeMetadata,
  describeModel,
  describeParameters,
  describePlan,
} from '../../../src/engine/index.js';
import { northwind } from '../schema/northwind.js';
import { writeSchema } from '../../workers/write-schema.js';

const limits = { expressionLengthMax: 65_536, nestingMax: 64, includeDepthMax: 8 };
const own = createCatalog(writeSchema());

function planOf(expression: string, catalog = northwind, view = 'default') {
  return compileQuery(catalog, { expression, stage: 'default', view, limits });
}

const order = planOf('Orders.insert().include(p=>[p.details, p.customer])');

describe('an insert with includes', () => {
  test('has one statement for each table', () => {
    const { clause, name, children } = describeMetadata(order);
    expect([clause, name]).toEqual(['insert', 'insert']);
    expect(children.map(({ entity }) => entity)).toEqual(['Orders.details', 'Customers']);
    expect(describePlan(order).children).toHaveLength(2);
  });

  test('has the model of its answer', () => {
    const model = describeModel(order);
    expect(model.map(({ name }) => name).slice(-2)).toEqual(['details', 'customer']);
    expect(model.find(({ name }) => name === 'details')?.type).toBe('Orders.details[]');
  });

  test('has the members of its data as parameters', () => {
    const parameters = describeParameters(order);
    expect(parameters[0]).toEqual({ name: 'id', type: 'integer' });
    const details = parameters.find(({ name }) => name === 'details');
    expect(details?.children?.map(({ name }) => name)).toEqual([
      'orderId',
      'productId',
      'unitPrice',
      'quantity',
      'discount',
    ]);
  });

  test('has the constraints of each entity', () => {
    const { entity, constraints, children } = describeConstraints(order);
    expect(entity).toBe('Orders');
    expect(constraints[0]).toEqual({
      message: 'Cannot be null property customerId in entity Orders',
      condition: 'isNotNull(customerId)',
    });
    expect(children?.map((child) => child.entity)).toEqual(['Orders.details', 'Customers']);
  });
});

test('constraints of every kind are described', () => {
  const { constraints } = describeConstraints(planOf('Items.insert()', own));
  expect(constraints.map(({ condition }) => condition)).toEqual([
    'isNotNull(name)',
    'isNotNull(groupId)',
    'in(status,["open","closed"])',
    'in(rank,[1,2])',
    'length(name)<=10',
    'length(makerId)<=5',
    'price>=0',
    'status!="closed" || stock==0',
  ]);
});

test('an update has the constraints of the properties that it sets', () => {
  const plan = planOf('Items.update({name: name}).filter(p=>p.id==id)', own);
  expect(describeConstraints(plan).constraints.map(({ condition }) => condition)).toEqual([
    'isNotNull(name)',
    'length(name)<=10',
    'price>=0',
    'status!="closed" || stock==0',
  ]);
});

test.each(['Items.update({name: n}).filter(p=>p.id==id)', 'Items.delete()'])(
  '%s answers with a number, and has no model',
  (query) => {
    expect(describeModel(planOf(query, own))).toEqual([]);
  },
);

test('a delete has no constraints', () => {
  expect(describeConstraints(planOf('Items.delete()', own)).constraints).toEqual([]);
});

test('a hidden property is not described, and gets its default', () => {
  const plan = planOf('Makers.insert()', own, 'narrow');
  expect(JSON.stringify([describeModel(plan), describeParameters(plan)])).not.toContain('city');
  const write = plan.root.write;
  const hidden = write?.kind === 'rows' && write.fields.find(({ property }) => property === 'city');
  expect(hidden).toMatchObject({ value: { kind: 'none' }, default: { text: 'Oslo' } });
  expect(() => planOf('Makers.insert({city: city})', own, 'narrow')).toThrow(/no property/);
});
