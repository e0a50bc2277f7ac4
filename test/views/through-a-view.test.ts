import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, post } from '../support/program.js';
import { readingAttempts } from './attempts.js';
import { startViewsFixture, type ViewsFixture } from './views-fixture.js';

let fixture: ViewsFixture;
beforeAll(async () => {
  fixture = await startViewsFixture();
}, 120_000);
afterAll(() => fixture.stop());

const options = { view: 'narrow' };

/** What of an answer may be compared: the id of a request is its own. */
function told({ status, text }: Answer): string {
  return `${status} ${text.replace(/"requestId":"[^"]*",?/, '')}`;
}

describe('a query under a view', () => {
  it.each(readingAttempts)('$query sees nothing that is hidden', async ({ query, data }) => {
    const under = await post(fixture.whole, '/execute', { query, data, options });
    const absent = await post(fixture.absent, '/execute', { query, data });
    expect(told(under).slice(0, 400)).toBe(told(absent).slice(0, 400));
    expect(told(under) === told(absent)).toBe(true);
  });
});
