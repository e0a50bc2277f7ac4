import { expect, test } from 'vitest';
import type { ExistingTable } from '../../../src/engine/ddl/existing.js';
import { planDrop } from '../../../src/engine/ddl/plan-drop.js';
import { northwindSchema } from './cases.js';

const [mapping] = northwindSchema().mappings;
if (mapping === undefined) throw new Error('The sample has no mapping.');

const bare = {
  schema: 'public',
  isVisible: true,
  kind: 'table',
  columns: [],
  primaryKey: undefined,
  uniqueKeys: [],
  indexes: [],
} as const;
const existing: readonly ExistingTable[] = [
  { ...bare, name: 'unrelated', foreignKeys: [] },
  {
    ...bare,
    name: 'employees',
    foreignKeys: [
      {
        name: 'Boss',
        columns: ['reportsto'],
        schema: 'public',
        table: 'employees',
        targetColumns: ['id'],
      },
    ],
  },
  { ...bare, name: 'Order Details', foreignKeys: [] },
];

test('foreign keys are dropped first, then tables in reverse order; missing tables and those of others are left out', () => {
  const { steps } = planDrop({ mapping, enums: [], dialect: 'PostgreSQL', existing });
  expect(steps.map((step) => step.sql)).toEqual([
    'ALTER TABLE Employees DROP CONSTRAINT IF EXISTS "Boss"',
    'DROP TABLE IF EXISTS "Order Details"',
    'DROP TABLE IF EXISTS Employees',
  ]);
});

test('MySQL has its own keyword for foreign keys, and compares names of tables case-sensitively', () => {
  const asMysql = existing.map((table) => ({
    ...table,
    name: table.name === 'employees' ? 'Employees' : table.name,
  }));
  const { steps } = planDrop({ mapping, enums: [], dialect: 'MySQL', existing: asMysql });
  expect(steps.map((step) => step.sql)).toEqual([
    'ALTER TABLE Employees DROP FOREIGN KEY `Boss`',
    'DROP TABLE IF EXISTS `Order Details`',
    'DROP TABLE IF EXISTS Employees',
  ]);
});

test('nothing is dropped if a table that stays refers to one of the tables', () => {
  const reports = {
    ...bare,
    name: 'reports',
    foreignKeys: [
      {
        name: 'by_employee',
        columns: ['by'],
        schema: 'public',
        table: 'employees',
        targetColumns: ['id'],
      },
    ],
  };
  const request = { mapping, enums: [], dialect: 'MySQL' as const };
  const asMysql = existing.map((table) => ({ ...table, ignoresCase: true }));
  expect(() => planDrop({ ...request, existing: [...asMysql, reports] })).toThrow(
    'by foreign keys: by_employee of public.reports to employees.',
  );
});
