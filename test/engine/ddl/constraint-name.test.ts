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

function table(name: string, taken: readonly string[] = []) {
  return { stored: { schema: undefined, name }, takenNames: new Set(taken) };
}

test('a short plain name consists of table, columns and kind', () => {
  expect(constraintName(table('orders'), [column('customerid')], 'fkey')).toBe(
    'orders_customerid_fkey',
  );
  expect(constraintName(table('orders'), [column('orderid')], 'pkey')).toBe('orders_pkey');
});

test('a long name has at most 63 bytes and differs from similar names', () => {
  const long = 'x'.repeat(62);
  const first = constraintName(table(long), [column('a')], 'key');
  const second = constraintName(table(long), [column('b')], 'key');
  expect(first).toHaveLength(63);
  expect(second).toHaveLength(63);
  expect(first).not.toBe(second);
});

test('names that lose characters remain different', () => {
  const first = constraintName(table('Order Details'), [column('a')], 'idx');
  const second = constraintName(table('Order-Details'), [column('a')], 'idx');
  expect(first).toMatch(/^order_details_a_[0-9a-f]{8}_idx$/);
  expect(first).not.toBe(second);
});

test('names that are taken are not used', () => {
  const names = ['SELECT', 'Select', 'select'].map((name) =>
    constraintName(table(name, ['select_a_idx']), [column('a')], 'idx'),
  );
  expect(new Set(names).size).toBe(3);
  expect(names).not.toContain('select_a_idx');
});

test('a name without Latin letters is replaced by a valid one', () => {
  expect(constraintName(table('日本'), [column('1')], 'idx')).toMatch(/^[a-z][a-z0-9_]*_idx$/);
});
