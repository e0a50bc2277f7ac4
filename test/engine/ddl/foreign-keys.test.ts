/** The foreign keys that `push` adds. */
import { describe, expect, test } from 'vitest';
import { columnOf, pushOf, tableOf } from './push-of.js';

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

describe('a column has the type of the one that it refers to on MySQL', () => {
  const users = `
  - name: users
    primaryKey: [id]
    properties: [{ name: id, type: bigint, autoIncrement: true }]
`;
  const others = `
  - name: photos
    properties: [{ name: profileId, type: integer }]
    relations: [{ name: profile, from: profileId, entity: profiles, to: userId }]
  - name: profiles
    uniqueKey: [userId]
    properties: [{ name: userId, type: integer }, { name: name, length: 20 }]
    relations: [{ name: user, from: userId, entity: users, to: id }]
`;
  const declared = (statements: readonly string[], column: string) =>
    statements.flatMap((sql) => new RegExp(`\\n {2}${column} ([^,\\n]*)`).exec(sql)?.[1] ?? []);

  test.each([
    [
      'in the database',
      [tableOf('users', { columns: [columnOf('id', 'bigint unsigned')] })],
      'bigint unsigned',
    ],
    ['in a new table', [], 'BIGINT'],
  ])('%s, through others', (_, existing, type) => {
    const statements = pushOf(`entities:${users}${others}`, 'MySQL', existing);
    expect(declared(statements, 'userId')).toEqual([type]);
    expect(declared(statements, 'profileId')).toEqual([type]);
  });

  test('even if tables refer to each other', () => {
    const entity = (name: string, other: string) => `
  - name: ${name}
    primaryKey: [id]
    properties: [{ name: id, type: bigint }]
    relations: [{ name: other, from: id, entity: ${other}, to: id }]`;
    const statements = pushOf(`entities:${entity('a', 'b')}${entity('b', 'a')}`, 'MySQL');
    expect(declared(statements, 'id')).toEqual(['BIGINT', 'BIGINT']);
  });
});
