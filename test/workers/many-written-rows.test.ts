/** A write that would keep too many rows in memory is refused, and stores nothing. */
import { beforeAll, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';
import { settings } from './test-worker.js';

const entities = [
  {
    name: 'Nodes',
    primaryKey: ['name'],
    properties: [
      { name: 'name', length: 200, required: true },
      { name: 'size', type: 'integer' },
    ],
  },
  {
    name: 'Nodes.notes',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'node', length: 200 },
    ],
    relations: [{ name: 'owner', from: 'node', entity: 'Nodes', to: 'name', target: 'notes' }],
  },
];

const PADDING = 'x'.repeat(190);
/** Their names alone need more. */
const COUNT = Math.ceil(settings.transactionAnswerBytesMax / PADDING.length);

describeDomain('many rows', entities, (stage) => {
  beforeAll(async () => {
    const nodes = Array.from({ length: COUNT }, (_, index) => ({ name: `${index}${PADDING}` }));
    await stage().ask('Nodes.bulkInsert()', nodes);
  });

  test.each([
    'Nodes.delete().filter(p=>p.size==null||exists(p.notes)).include(p=>p.notes)',
    'Nodes.update({size: size}).filter(p=>p.size==null).include(p=>p.notes)',
  ])('are not written by %s', async (query) => {
    expect(await stage().problem(query, { size: 1 })).toMatchObject({
      code: 'rows-over-limit',
      detail: expect.stringContaining('--transaction-answer-max'),
    });
    expect(await stage().ask('Nodes.filter(p=>p.size==null).map(p=>count(p.name))')).toEqual([
      { count: COUNT },
    ]);
  });

  test('are written by parts', async () => {
    const query =
      'Nodes.delete().filter(p=>startsWith(p.name, n)||exists(p.notes)).include(p=>p.notes)';
    const parts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map(String);
    let deleted = 0;
    for (const n of parts) deleted += Number(await stage().ask(query, { n }));
    expect(deleted).toBe(COUNT);
  });
});
