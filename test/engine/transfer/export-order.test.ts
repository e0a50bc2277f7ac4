import { describe, expect, test } from 'vitest';
import { dependencyOrder } from '../../../src/engine/schema/dependency-order.js';
import { exportExpression, exportTrees } from '../../../src/engine/transfer/export-tree.js';
import { loadSchema } from '../../../src/engine/load/load.js';
import { createCatalog } from '../../../src/engine/schema/catalog.js';
import { northwind } from '../schema/northwind.js';

describe('an order of dependencies', () => {
  test.each([
    ['keeps the order of independent entities', { a: '', b: '', c: '' }, 'abc'],
    ['puts referenced entities first', { a: 'b', b: 'c', c: '' }, 'cba'],
    ['ignores unknown names', { a: 'x', b: '' }, 'ab'],
    ['ignores references of an entity to itself', { a: 'a', b: 'b' }, 'ab'],
    ['accepts cycles', { a: 'b', b: 'a', c: '' }, 'bac'],
  ])('%s', (_, references, order) => {
    const items = Object.entries(references).map(([name, to]) => ({ name, to: [...to] }));
    const ordered = dependencyOrder(items, ({ to }) => to);
    expect(ordered.map(({ name }) => name).join('')).toBe(order);
  });
});

test('an export of the sample reads details within their orders, after everything that they refer to', () => {
  const trees = exportTrees(northwind, 'default');
  expect(trees.map(exportExpression)).toEqual([
    'Categories.sort(p=>[p.id])',
    'Customers.sort(p=>[p.id])',
    'Employees.sort(p=>[p.id])',
    'Shippers.sort(p=>[p.id])',
    'Suppliers.sort(p=>[p.id])',
    'Products.sort(p=>[p.id])',
    'Orders.sort(p=>[p.id]).include(p=>[p.details])',
  ]);
});

test('an export reads parts from their owners, not through a join table', () => {
  const key = { name: 'id', type: 'integer', required: true };
  const owner = { name: 'orderId', type: 'integer', required: true };
  const twins = {
    name: 'twins',
    from: 'id',
    entity: 'Orders.lines',
    to: 'id',
    through: { entity: 'Twins', from: 'orderId', to: 'lineId' },
  };
  const lines = { name: 'order', from: 'orderId', entity: 'Orders', to: 'id', target: 'lines' };
  const entities = [
    { name: 'Orders', primaryKey: ['id'], properties: [key], relations: [twins] },
    { name: 'Orders.lines', primaryKey: ['id'], properties: [key, owner], relations: [lines] },
    { name: 'Twins', properties: [owner, { name: 'lineId', type: 'integer', required: true }] },
  ];
  const trees = exportTrees(createCatalog(loadSchema({ domain: { entities } })), 'default');
  expect(trees.map(exportExpression)).toEqual([
    'Orders.sort(p=>[p.id]).include(p=>[p.lines])',
    'Twins.sort(p=>[p.orderId,p.lineId])',
  ]);
});

test('an unknown stage has nothing to export', () => {
  expect(exportTrees(northwind, 'nowhere')).toEqual([]);
});
