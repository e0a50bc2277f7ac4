/** Queries in the console: written, run, and their rows read. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInChromium } from './support/browser.js';
import { type ConsoleServer, fragmentOf, runQuery, startConsole } from './support/console-page.js';

describeInChromium('a query in the console', () => {
  let server: ConsoleServer;

  beforeAll(async () => {
    server = await startConsole();
  });

  afterAll(() => server.close());

  test('is run, and its rows are shown', async () => {
    const { page, faults } = await server.open(fragmentOf('Shippers.sort(p=>p.id)'));
    await runQuery(page);
    const rows = page.getByRole('table').getByRole('row');
    await expect.poll(() => rows.allInnerTexts()).toHaveLength(5);
    expect(await rows.nth(2).getByRole('cell').allInnerTexts()).toEqual([
      '2',
      'Überland Spedition',
      '+49 40 5550188',
    ]);
    expect(faults).toEqual([]);
  });
});
