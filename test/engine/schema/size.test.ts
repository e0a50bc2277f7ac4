import { expect, it } from 'vitest';
import { createCatalog } from '../../../src/engine/schema/catalog.js';
import { checkSchema, loadSchema } from '../../../src/engine/schema/load.js';

const entityCount = 2_000;

/** A schema of many entities, all mapped, each with a relation to another one and its inverse. */
function largeDocument(misspelling = ''): unknown {
  const entities = Array.from({ length: entityCount }, (_, index) => ({
    name: `Entity${index}`,
    extends: 'Base',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', autoIncrement: true },
      { name: 'otherId', type: 'integer' },
      ...Array.from({ length: 10 }, (_, column) => ({ name: `text${column}`, length: 20 })),
    ],
    relations: [
      {
        name: 'other',
        from: 'otherId',
        entity: `Entity${(index * 7) % entityCount}${misspelling}`,
        to: 'id',
        target: `others${index}`,
      },
    ],
  }));
  const base = {
    name: 'Base',
    abstract: true,
    properties: [{ name: 'created', type: 'dateTime' }],
  };
  const mapped = entities.map(({ name, properties }) => ({
    name,
    mapping: `TBL_${name}`,
    properties: properties.map((property) => ({
      name: property.name,
      mapping: `C_${property.name}`,
    })),
  }));
  return {
    domain: { entities: [base, ...entities] },
    infrastructure: { mappings: [{ name: 'default', entities: mapped }] },
  };
}

it('a schema of 2,000 entities loads well within half a second', () => {
  const document = largeDocument();
  const times = [1, 2, 3].map(() => {
    const start = performance.now();
    const catalog = createCatalog(loadSchema(document));
    expect(catalog.relation('Entity7', 'others1')?.target.name).toBe('Entity1');
    return performance.now() - start;
  });
  // The best of three: other processes of the machine are not what is tested.
  expect(Math.min(...times)).toBeLessThan(500);
});

it('a schema that is wrong in 2,000 places is told so in seconds, not minutes', () => {
  const start = performance.now();
  const problems = checkSchema(largeDocument('x'));
  expect(problems).toHaveLength(entityCount);
  expect(performance.now() - start).toBeLessThan(5_000);
});
