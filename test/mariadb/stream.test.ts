import { createHash } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { describeMariadb } from '../support/mariadb.js';
import { testStreaming } from '../workers/stream-suite.js';
import { type MariadbFixture, startMariadbFixture } from './fixture.js';

describeMariadb('streaming', () => {
  let fixture: MariadbFixture;

  beforeAll(async () => {
    fixture = await startMariadbFixture();
  });
  afterAll(() => fixture.stop());

  async function manyHash(): Promise<string> {
    const hash = createHash('sha256');
    for (let id = 1; id <= 300_000; id += 1) {
      const name = createHash('md5').update(String(id)).digest('hex');
      hash.update(`${id === 1 ? '[' : ','}{"id":${id},"name":"${name}"}`);
    }
    return hash.update(']').digest('hex');
  }

  testStreaming({ fixture: () => fixture, manyHash, brokenBy: '21000' });
});
