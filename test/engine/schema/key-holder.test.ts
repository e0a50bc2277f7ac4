/** Which side of a one-to-one relation between two primary keys has the foreign key. */
import { expect, test } from 'vitest';
import { keyHolder } from '../../../src/engine/index.js';

const admins = { name: 'Admins', primaryKey: ['id'] };
const ends = { from: ['id'], to: ['id'] };

test.each([
  ['the same relation', { ...ends, weak: false }, 'either'],
  ['the same relation without a key', { ...ends, weak: true }, 'owner'],
  ['another relation', { from: ['adminId'], to: ['id'], weak: false }, 'owner'],
])('if the target declares %s', (_, declared, holder) => {
  const relations = [{ type: 'oneToOne', entity: 'Admins', ...declared } as const];
  const users = { name: 'Users', primaryKey: ['id'], relations };
  expect(keyHolder(admins, ends, users)).toBe(holder);
});
