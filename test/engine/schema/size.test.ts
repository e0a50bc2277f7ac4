import { expect, it } from 'vitest';
import { createCatalog } from '../../../src/engine/schema/catalog.js';
import { checkSchema, loadSchema } from '../../../src/engine/load/load.js';

/** A schema of many mapped entities, each with a relation to another entity and its inverse. */
function largeDocument(entityCount: number, misspelling = ''): unknown {
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

/**
 * The shortest CPU time of several loads, in milliseconds. The time of other processes does not count.
 */
function loadTimeMs(entityCount: number): number {
  const document = largeDocument(entityCount);
  const times = Array.from({ length: 5 }, () => {
    const start = process.cpuUsage();
    const catalog = createCatalog(loadSchema(document));
    expect(catalog.relation('Entity7', 'others1')?.entity).toBe('Entity1');
    return milliseconds(process.cpuUsage(start));
  });
  return Math.min(...times);
}

it('the time to load a schema grows with its entities, not with their square', () => {
  const smallMs = loadTimeMs(500);
  const largeMs = loadTimeMs(2_000);
  // Four times the entities would take 16 times as long if loading were quadratic.
  expect(largeMs / smallMs).toBeLessThan(10);
});

it('a schema with 2,000 errors is reported in seconds, not minutes', () => {
  const start = process.cpuUsage();
  const problems = checkSchema(largeDocument(2_000, 'x'));
  expect(problems).toHaveLength(2_000);
  expect(milliseconds(process.cpuUsage(start))).toBeLessThan(10_000);
});

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
