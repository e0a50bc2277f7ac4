/** The console as it is opened: by a link, and in a browser that blocks storage. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInChromium } from './support/browser.js';
import { type ConsoleServer, editorOf, fragmentOf, startConsole } from './support/console-page.js';

/** As where all cookies are blocked: reading the properties throws. */
const BLOCKED = `for (const name of ['localStorage', 'sessionStorage']) {
  Object.defineProperty(globalThis, name, {
    get() { throw new DOMException('Access is denied for this document.', 'SecurityError'); },
  });
}`;

describeInChromium('opening the console', () => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await startConsole();
  });
  afterAll(() => server.close());

  test('a link that is followed in the open page replaces the query', async () => {
    const { page, faults } = await server.open(fragmentOf('Shippers'));
    await editorOf(page).getByText('Shippers').waitFor();
    const followed = fragmentOf('Categories.page(1, 2)', { a: 1 });
    await page.evaluate(`location.hash = ${JSON.stringify(followed)}`);
    await editorOf(page).getByText('Categories').waitFor();
    expect(faults).toEqual([]);
    await page.close();
  });

  test('the page works without storage', async () => {
    await server.browser.context.addInitScript(BLOCKED);
    const { page, faults } = await server.open(fragmentOf('Shippers'));
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.getByRole('row').nth(2).waitFor();
    expect(faults).toEqual([]);
    await page.close();
  });
});
