/** The cursor of a page contains keys of the last row, but none that an expression hides. */
import { expect, test } from 'vitest';
import { compileQuery, createCatalog, loadSchema } from '../../../src/engine/index.js';
import { limits } from '../language/limits-for-tests.js';

function compileUnderView(email: object) {
  const properties = [
    { name: 'id', type: 'integer', required: true },
    { name: 'name' },
    { name: 'email', required: true, ...email },
  ];
  const users = { name: 'Users', primaryKey: ['id'], uniqueKey: ['email'], properties };
  const view = { name: 'Users', properties: [{ name: 'id', exclude: true }] };
  const schema = loadSchema({
    domain: { version: '1.0.0', entities: [users] },
    infrastructure: {
      mappings: [{ name: 'default' }],
      sources: [{ name: 'default', dialect: 'PostgreSQL', mapping: 'default', connection: {} }],
      stages: [{ name: 'default', sources: [{ name: 'default' }] }],
      views: [{ name: 'public', entities: [view] }],
    },
  });
  const expression = 'Users.sort(p=>p.name).after(c).take(1)';
  const request = {
    expression,
    stage: 'default',
    view: 'public',
    limits: { ...limits, includeDepthMax: 8 },
  };
  return compileQuery(createCatalog(schema), request).root.text;
}

test('a unique key makes the sort unique if its stored values may be read', () => {
  expect(compileUnderView({})).toMatch(/ORDER BY .*email/);
});

test.each([{ readExp: 'mask(email)' }, { readValue: 'lower(email)' }])(
  'a unique key with %j does not',
  (hiding) => {
    expect(() => compileUnderView(hiding)).toThrow(
      'needs a primary key, or a sort by a unique key',
    );
  },
);
