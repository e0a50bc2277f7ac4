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
  { text: 'substring(entity,0,3)=="Ord"', select: true, insert: true },
  { text: 'entity.substring(3) == "ers"', select: true, insert: true },
  { text: 'lower(entity) == "orders" && upper(entity) == "ORDERS"', select: true, insert: true },
  { text: 'endWith(entity, "ers") && startWith(entity, "O")', select: true, insert: true },
  { text: 'dml && !ddl', select: true, insert: true },
  { text: 'ddl || write', select: false, insert: true },
];

const wrong = [
  { text: 'lower(entity, 1)', message: "'lower' takes 1 argument." },
  { text: 'substring(entity)', message: "'substring' takes 2 or 3 arguments." },
  { text: 'contains(entity, "a", "b")', message: "'contains' takes 2 arguments." },
  { text: 'in(entity)', message: "'in' takes at least 2 arguments." },
];

describe('the condition of a stage source', () => {
  for (const { text, select, insert } of cases) {
    it(`${text} is ${select} when Orders are read, ${insert} when they are written`, () => {
      const holds = compileCondition(text, enums);
      expect(holds({ entity: 'Orders', action: 'select' })).toBe(select);
      expect(holds({ entity: 'Orders', action: 'insert' })).toBe(insert);
    });
  }

  for (const { text, message } of wrong) {
    it(`${text} is refused`, () => {
      expect(() => compileCondition(text, enums)).toThrow(message);
    });
  }
});
