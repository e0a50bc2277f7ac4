import { afterAll, beforeAll } from 'vitest';
import { type Fixture, startFixture } from './fixture.js';
import { testStreaming } from './stream-suite.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

/** Computed by the database. */
async function manyHash(): Promise<string> {
  const [row] = await fixture.sql(`
    SELECT encode(sha256(convert_to('[' || string_agg(
      '{"id":' || id || ',"name":"' || name || '"}', ',' ORDER BY id) || ']', 'UTF8')), 'hex') AS hash
    FROM many`);
  return row?.['hash'];
}

testStreaming({ fixture: () => fixture, manyHash, brokenBy: '22012' });
