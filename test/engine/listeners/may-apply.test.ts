import { expect, test } from 'vitest';
import { createCatalog, loadSchema } from '../../../src/engine/index.js';
import { readCondition } from '../../../src/engine/listeners/compile-listeners.js';
import { mayApply } from '../../../src/engine/listeners/listener-values.js';

const catalog = createCatalog(loadSchema({ domain: { version: '1.0.0', entities: [] } }));
const known = {
  entity: 'Orders',
  action: 'insert',
  options: { stage: 'default', view: 'default' },
};
const cipher = { encrypt: () => '', decrypt: () => '' };
const context = { now: '2026-11-21T06:34:17.123Z', cipher };

test.each([
  [undefined, true],
  ['entity == "Orders"', true],
  ['entity == "Items"', false],
  ['query.entity == "Orders" && query.action == "insert"', true],
  ['query.entity == "Items"', false],
  ['entity == "Orders" && options.stage.in("default", "other") && data.id > 1', true],
  ['data.id > 1 && (action == "insert" && entity == "Items")', false],
  ['entity == "Items" || data.id != null', true],
  ['data.id != null', true],
  ['options.view == "narrow" && true', false],
])('the known values decide whether a listener on %s may apply to a request: %s', (text, may) => {
  const condition = text === undefined ? undefined : readCondition(catalog, text);
  const listener = { name: 'l', on: ['insert' as const], condition, steps: {}, asksResult: false };
  expect(mayApply(listener, known, context)).toBe(may);
});
