import { describe, expect, it } from 'vitest';
import { compileCondition } from '../../../src/engine/schema/condition.js';

const enums = [{ name: 'Kind', values: [{ name: 'orders', value: 'Orders' }] }];

const cases = [
  { text: 'entity == Kind.orders', select: true, insert: true },
  { text: '!in(entity, [Kind.orders])', select: false, insert: false },
  { text: 'entity == "Orders"', select: true, insert: true },
  { text: 'entity != "Orders"', select: false, insert: false },
  { text: 'action == "select"', select: true, insert: false },
  { text: 'read', select: true, insert: false },
  { text: 'write', select: false, insert: true },
  { text: '!read', select: false, insert: true },
  { text: 'write && entity.startsWith("Ord")', select: false, insert: true },
  { text: 'write || entity == "Orders"', select: true, insert: true },
  { text: 'entity.in(["Customers", "Orders"])', select: true, insert: true },
  { text: 'entity.in("Customers", "Orders")', select: true, insert: true },
  { text: 'in(entity, ["Customers"])', select: false, insert: false },
  { text: '["Orders"].includes(entity)', select: true, insert: true },
  { text: 'entity.includes("der")', select: true, insert: true },
  { text: 'entity.contains("x")', select: false, insert: false },
  { text: 'endsWith(entity, "ers")', select: true, insert: true },
  { text: 'entity == null', select: false, insert: false },
  { text: 'entity', select: false, insert: false },
  { text: 'true', select: true, insert: true },
];

describe('the condition of a stage source', () => {
  for (const { text, select, insert } of cases) {
    it(`${text} is ${select} when Orders are read, ${insert} when they are written`, () => {
      const holds = compileCondition(text, enums);
      expect(holds({ entity: 'Orders', action: 'select' })).toBe(select);
      expect(holds({ entity: 'Orders', action: 'insert' })).toBe(insert);
    });
  }
});
