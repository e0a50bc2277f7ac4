/** The context of a position in an unfinished expression. */
import { describe, expect, test } from 'vitest';
import { type Scope, scopeAt } from '../../../src/console/editor/scope.js';
import { tokensOf } from '../../../src/console/editor/tokens.js';
import type { Entity, Relation } from '../../../src/console/gateway/forms.js';

const entities = [
  entity(
    'Orders',
    ['id', 'freight'],
    [one('customer', 'Customers'), many('details', 'Orders.details')],
  ),
  entity('Orders.details', ['quantity'], [one('product', 'Products')]),
  entity('Customers', ['name'], [many('orders', 'Orders')]),
  entity('Products', ['price'], []),
];

describe('the scope', () => {
  test.each([
    { text: '', owner: undefined, isStart: true },
    { text: 'Ord', owner: undefined, isStart: true },
    { text: '/* all */ Ord', owner: undefined, isStart: true },
    { text: 'Orders.', owner: 'rows Orders' },
    { text: 'Orders.fil', owner: 'rows Orders' },
    { text: 'Orders.details.', owner: 'rows Orders.details' },
    { text: 'Orders.filter(p=>p.', owner: 'row Orders' },
    { text: 'Orders.filter((p)=>p.', owner: 'row Orders' },
    { text: 'Orders.filter(p=>p.freight>1).', owner: 'rows Orders' },
    { text: 'Orders.filter(p=>p.freight.', owner: 'value decimal' },
    { text: 'Orders.filter(p=>(p.customer).', owner: 'row Customers' },
    { text: 'Orders.map(p=>[p.id, p.customer.', owner: 'row Customers' },
    { text: 'Orders.map(p=>({a: p.id, b: p.', owner: 'row Orders' },
    { text: 'Orders.include(p=>p.details.', owner: 'rows Orders.details' },
    { text: 'Orders.include(p=>p.details.filter(d=>d.product.', owner: 'row Products' },
    { text: 'Orders.include(p=>[p.customer.map(c=>c.name), p.', owner: 'row Orders' },
    { text: 'Orders.filter(p=>exists(p.details, d=>d.', owner: 'row Orders.details' },
    { text: 'Orders.filter(p=>p.customer.orders.sum(o=>o.', owner: 'row Orders' },
    { text: 'Orders.filter(p=>p.id==x.', owner: undefined },
    { text: 'Orders.filter(q=>p.', owner: undefined },
    { text: 'Orders.filter(p=>p.details.exists(d=>d.quantity>1) && p.', owner: 'row Orders' },
    { text: 'Orders.filter(p=>p.note=="p.', owner: undefined },
  ])('of "$text" is $owner', ({ text, owner, isStart = false }) => {
    const scope = scopeAt(text, text.length, entities);
    expect(ownerText(scope)).toBe(owner);
    expect(scope.isStart).toBe(isStart);
  });

  test('knows the variables of all lambdas around the position', () => {
    const text = 'Orders.filter(p=>p.details.exists(d=>';
    const { variables } = scopeAt(text, text.length, entities);
    expect([...variables].map(([name, { name: of }]) => `${name}: ${of}`)).toEqual([
      'p: Orders',
      'd: Orders.details',
    ]);
  });

  test('forgets the variable of a lambda that has ended', () => {
    const text = 'Orders.filter(p=>p.details.exists(d=>d.quantity>1) && ';
    expect([...scopeAt(text, text.length, entities).variables.keys()]).toEqual(['p']);
  });

  test('begins where the name at the position begins', () => {
    expect(scopeAt('Orders.filter(p=>p.frei', 23, entities)).toMatchObject({
      from: 19,
      inside: 'filter',
    });
  });
});

test('every character of an expression that is not blank is in a token', () => {
  const text =
    '/* a */ Orders.filter(p => p.name == \'it\\\'s\' && p.n ** 1.5e-3 >= "x" ?? `y`) \u00e9 "open';
  const joined = tokensOf(text).map((token) => token.text);
  expect(joined.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
});

function ownerText({ owner }: Scope): string | undefined {
  if (owner === undefined) return undefined;
  return owner.kind === 'value' ? `value ${owner.type}` : `${owner.kind} ${owner.entity.name}`;
}

function entity(
  name: string,
  properties: readonly string[],
  relations: readonly Relation[],
): Entity {
  return {
    name,
    primaryKey: [],
    uniqueKey: [],
    properties: properties.map((each) => ({ name: each, type: 'decimal', required: false })),
    relations,
  };
}

function one(name: string, target: string): Relation {
  return { name, type: 'oneToMany', entity: target };
}

function many(name: string, target: string): Relation {
  return { ...one(name, target), type: 'manyToOne' };
}
