import { describe, expect, test } from 'vitest';
import { checkValue, ValueFault } from '../../../src/engine/exchange/check-value.js';
import { defaultText } from '../../../src/engine/exchange/default-text.js';
import { dependencyOrder } from '../../../src/engine/exchange/dependency-order.js';
import { exportExpression, exportTrees } from '../../../src/engine/exchange/export-tree.js';
import type { RowField } from '../../../src/engine/exchange/row-field.js';
import { ExactNumber } from '../../../src/engine/result/data-value.js';
import type { Property } from '../../../src/engine/schema/model.js';
import { northwind } from '../schema/northwind.js';

describe('an order of dependencies', () => {
  test.each([
    ['keeps the order where nothing depends', { a: '', b: '', c: '' }, 'abc'],
    ['puts what is referred to first', { a: 'b', b: 'c', c: '' }, 'cba'],
    ['passes over names that are not among them', { a: 'x', b: '' }, 'ab'],
    ['passes over references to oneself', { a: 'a', b: 'b' }, 'ab'],
    ['ends in a cycle', { a: 'b', b: 'a', c: '' }, 'bac'],
  ])('%s', (_, references, order) => {
    const items = Object.entries(references).map(([name, to]) => ({ name, to: [...to] }));
    const ordered = dependencyOrder(items, ({ to }) => to);
    expect(ordered.map(({ name }) => name).join('')).toBe(order);
  });
});

test('an export of the sample reads details in their orders, behind all that they refer to', () => {
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

test('a stage that is not there has nothing to export', () => {
  expect(exportTrees(northwind, 'nowhere')).toEqual([]);
});

const now = '2026-11-21T06:34:17.123Z';

describe('a default', () => {
  test.each<[Partial<Property>, string | null | undefined]>([
    [{ type: 'decimal', default: 0 }, '0'],
    [{ type: 'boolean', default: false }, 'false'],
    [{ type: 'boolean', default: 'true' }, 'true'],
    [{ type: 'string', default: 'now()' }, undefined],
    [{ type: 'string', default: '' }, ''],
    [{ type: 'string', default: 7 }, '7'],
    [{ type: 'dateTime', default: 'now()' }, '2026-11-21T06:34:17.123000Z'],
    [{ type: 'date', default: 'today()' }, '2026-11-21'],
    [{ type: 'time', default: 'curTime()' }, '06:34:17.123'],
    [{ type: 'integer', default: '5' }, '5'],
    [{ type: 'integer', default: '1 + 1' }, undefined],
    [{ type: 'integer', default: null }, null],
    [{ type: 'integer' }, null],
  ])('%j is %s', (property, text) => {
    expect(defaultText({ name: 'x', type: 'any', required: false, ...property }, now)).toBe(text);
  });
});

describe('a value', () => {
  test.each<[Partial<Property>, Parameters<typeof checkValue>[1], string | null]>([
    [{ type: 'integer' }, 0, '0'],
    [{ type: 'integer' }, -2147483648, '-2147483648'],
    [{ type: 'decimal' }, new ExactNumber('12345678901234567890'), '12345678901234567890'],
    [{ type: 'string', length: 2 }, '😀😀', '😀😀'],
    [{ type: 'string' }, '', ''],
    [{ type: 'boolean' }, false, 'false'],
    [{ type: 'date' }, '1996-07-31T22:00:00.000Z', '1996-07-31'],
    [{ type: 'date' }, '1996-07-31T23:30:00-02:00', '1996-08-01'],
    [{ type: 'any' }, null, null],
  ])('of %j may be %j', (property, value, text) => {
    expect(checkValue(field(property), value)).toBe(text);
  });

  test.each<[Partial<Property>, Parameters<typeof checkValue>[1], string]>([
    [{ type: 'integer' }, 2147483648, "'x' takes an integer of 32 bits."],
    [{ type: 'integer' }, '-2147483649', "'x' takes an integer of 32 bits."],
    [{ type: 'string', length: 2 }, 'abc', "'x' takes at most 2 characters, and was given 3."],
    [{ required: true }, null, "'x' is required, and was given null."],
    [{ type: 'boolean' }, 'true', "'x' takes a boolean, and was given a string."],
    [{ type: 'date' }, '1996-02-30', "'x' takes an ISO 8601 date, and was given a string."],
  ])('of %j is not %j', (property, value, detail) => {
    expect(checkValue(field(property), value)).toEqual(new ValueFault(detail));
  });
});

function field(property: Partial<Property>): RowField {
  const { required = false } = property;
  return {
    property: { name: 'x', type: 'any', required, ...property },
    isRequired: required,
    isGenerated: false,
    absent: null,
    allowed: undefined,
    bits: property.type === 'integer' ? 32 : undefined,
  };
}
