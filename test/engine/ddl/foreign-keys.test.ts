/** The foreign keys that `push` adds. */
import { expect, test } from 'vitest';
import { pushOf } from './push-of.js';

const owner = `
  - name: Users
    primaryKey: [id]
    properties: [{ name: id, type: integer }]
`;
const owned = `
  - name: Profiles
    primaryKey: [id]
    properties: [{ name: id, type: integer }]
    relations: [{ name: user, type: oneToOne, from: id, entity: Users, to: id, target: profile }]
`;

test.each([
  ['first', owned + owner],
  ['last', owner + owned],
])('a one-to-one relation between primary keys has its key where it is declared: %s', (_, text) => {
  const keys = pushOf(`entities:${text}`).filter((sql) => sql.includes('FOREIGN KEY'));
  expect(keys).toEqual([expect.stringMatching(/^ALTER TABLE Profiles .* REFERENCES Users \(id\)/)]);
});
