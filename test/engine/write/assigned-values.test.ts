import { expect, test } from 'vitest';
import { catalogs, planOf } from '../golden/plans.js';

test.each([
  'Products.insert({supplierId: 1.5})',
  'Products.update({supplierId: 1.5}).filter(p=>p.id==1)',
  'Products.updateAll({supplierId: -2.0})',
])('%s is refused, because an integer would be rounded', (query) => {
  for (const catalog of Object.values(catalogs)) {
    const message = "Property 'supplierId' takes an integer, not a number.";
    expect(() => planOf(catalog, query)).toThrow(message);
  }
});

test('of an instant that is also compared with a dateTime, a date is sent', () => {
  const query = 'Orders.update(p=>({shippedDate: x})).filter(p=>p.orderDate==x)';
  for (const catalog of Object.values(catalogs)) {
    const { plan } = planOf(catalog, query, { x: '2024-02-29T23:59:59.7Z' });
    const types = plan.root.arguments.map((each) => each.kind === 'parameter' && each.type);
    expect(types).toEqual(['date', 'dateTime']);
  }
});
