/** The names of enumerated types on PostgreSQL. */
import { expect, test } from 'vitest';
import { dropOf, pushOf, tableOf } from './push-of.js';

const schemaOf = (name: string, mapping = 'tasks') => `
enums: [{ name: ${name}, values: [{ name: a }, { name: b }] }]
entities:
  - name: Tasks
    properties: [{ name: state, enum: ${name} }]
tables: [{ name: Tasks, mapping: ${mapping} }]
`;

test.each([
  ['Interval', 'tasks', []],
  ['integer', 'tasks', []],
  ['Status', 'public.status', []],
  ['Status', 'tasks', [tableOf('status', { kind: 'view' })]],
])('of enum %s, in table %s', (name, mapping, existing) => {
  const statements = pushOf(schemaOf(name, mapping), 'PostgreSQL', existing).join('\n');
  expect(statements).toContain(`CREATE TYPE ${name}_enum AS ENUM`);
  expect(statements).toContain(`state ${name}_enum\n`);
  const there = [...existing, tableOf(mapping.replace('public.', ''))];
  expect(dropOf(schemaOf(name, mapping), 'PostgreSQL', there).join('\n')).toContain(
    `DROP TYPE IF EXISTS ${name}_enum`,
  );
});

test('a free name is that of the enum', () => {
  expect(pushOf(schemaOf('Mood')).join('\n')).toContain('state Mood\n');
});
