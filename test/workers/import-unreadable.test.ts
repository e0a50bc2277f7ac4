/** An import of rows that listeners see, and whose values cannot be read: nobody asks for them. */
import { afterEach, describe, expect, test } from 'vitest';
import { openMariadbStage } from '../mariadb/transfer-stage.js';
import { describeMariadb } from '../support/mariadb.js';
import { openStage, schemaOf } from './import-stage.js';
import type { ImportStage, OpenStage } from './import-suite.js';

const people = schemaOf(`
entities:
  - name: People
    primaryKey: [id]
    properties:
      - { name: id, type: integer, required: true }
      - { name: email, length: 200, readValue: 'decrypt(email, "key")' }
`);
const listeners = [{ name: 'any', on: ['insert' as const], after: 'true' }];

describe('an import on PostgreSQL', () => {
  testImport(async (schema) => {
    const stage = await openStage(schema);
    return { ...stage, rows: async (text) => (await stage.sql(text)).map(Object.values) };
  });
});
describeMariadb('an import', () => {
  testImport(openMariadbStage);
});

function testImport(open: OpenStage): void {
  let stage: ImportStage | undefined;
  afterEach(() => stage?.close());

  test('stores values that cannot be read, with listeners and without', async () => {
    for (const schema of [people, { ...people, listeners }]) {
      stage = await open(schema);
      await stage.import({ entities: [{ entity: 'People', rows: [{ id: 1, email: 'plain' }] }] });
      expect(await stage.rows('SELECT email FROM People')).toEqual([['plain']]);
      await stage.close();
      stage = undefined;
    }
  });
}
