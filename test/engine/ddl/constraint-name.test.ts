import { expect, test } from 'vitest';
import { constraintName } from '../../../src/engine/ddl/constraint-name.js';
import type { ColumnDefinition } from '../../../src/engine/dialects/ddl-dialect.js';

function column(key: string): ColumnDefinition {
  return {
    name: key,
    key,
    type: 'integer',
    isLong: false,
    enum: undefined,
    length: undefined,
    required: false,
    autoIncrement: false,
    default: undefined,
  };
}

test('a short plain name consists of table, columns and kind', () => {
  expect(constraintName('orders', [column('customerid')], 'fkey')).toBe('orders_customerid_fkey');
  expect(constraintName('orders', [column('orderid')], 'pkey')).toBe('orders_pkey');
});

test('a long name has at most 63 bytes and differs from similar names', () => {
  const long = 'x'.repeat(62);
  const first = constraintName(long, [column('a')], 'key');
  const second = constraintName(long, [column('b')], 'key');
  expect(first).toHaveLength(63);
  expect(second).toHaveLength(63);
  expect(first).not.toBe(second);
});

test('names that lose characters remain different', () => {
  const first = constraintName('Order Details', [column('a')], 'idx');
  const second = constraintName('Order-Details', [column('a')], 'idx');
  expect(first).toMatch(/^order_details_a_[0-9a-f]{8}_idx$/);
  expect(first).not.toBe(second);
});

test('a name without Latin letters is replaced by a valid one', () => {
  expect(constraintName('日本', [column('1')], 'idx')).toMatch(/^[a-z][a-z0-9_]*_idx$/);
});
