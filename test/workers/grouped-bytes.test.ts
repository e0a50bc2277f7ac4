/** Pages of groups by binary data, which PostgreSQL groups by its text. */
import { beforeAll, expect, test } from 'vitest';
import { describeDomain } from './domain-stage.js';

const entities = [
  {
    name: 'Files',
    primaryKey: ['id'],
    properties: [
      { name: 'id', type: 'integer', required: true },
      { name: 'bytes', type: 'binary', required: true },
    ],
  },
];

describeDomain('groups by binary data', entities, (stage) => {
  beforeAll(async () => {
    const rows = ['YQ==', 'Yg==', 'YQ=='].map((bytes, id) => ({ id, bytes }));
    await stage().ask('Files.bulkInsert()', rows);
  });

  test('are read page by page', async () => {
    const query = 'Files.map(p=>({bytes: p.bytes, n: count()})).after(cursor).take(1)';
    expect(await stage().ask(query, { cursor: null })).toEqual([{ bytes: 'YQ==', n: 2 }]);
  });
});
