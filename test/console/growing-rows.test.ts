/** The rows of an answer that arrives in many parts. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInChromium } from './support/browser.js';
import { type ConsoleServer, fragmentOf, startConsole } from './support/console-page.js';

/** In place of the gateway's answer, one whose parts the test sends; and the numbers of rows that the table shows. */
const STUB = `{
  const original = fetch;
  globalThis.fetch = (url, init) => {
    if (!String(url).includes('/execute')) return original(url, init);
    const body = new ReadableStream({ start: (controller) => void (globalThis.answer = controller) });
    return Promise.resolve(new Response(body));
  };
  globalThis.send = (text) => answer.enqueue(new TextEncoder().encode(text + '\\n'));
  globalThis.counts = new Set();
  const look = () => counts.add(document.querySelector('[role=table]')?.ariaRowCount);
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
}`;

describeInChromium('rows that arrive in parts', () => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await startConsole();
  });
  afterAll(() => server.close());

  async function begin(): Promise<Page> {
    const { page } = await server.open(fragmentOf('Shippers'));
    await page.evaluate(STUB);
    await page.getByRole('button', { name: /^Run/ }).click();
    await expect.poll(() => page.evaluate('typeof answer')).toBe('object');
    return page;
  }

  test('stay unfolded, also if the last line is an error', async () => {
    const page = await begin();
    await page.evaluate(`send('{"id": 1, "of": [{"a": "inside"}]}')`);
    await page.getByRole('button', { name: 'of: 1 row' }).click();
    await page.getByText('inside').waitFor();
    const table = page.getByRole('table');
    const lines = () => table.getAttribute('aria-rowcount');
    expect(await lines()).toBe('4');
    await page.evaluate(`send('{"id": 2, "of": [], "more": 5}')`);
    await expect.poll(lines).toBe('5');
    await page.getByRole('columnheader', { name: 'more' }).waitFor();
    const error = '{"error": {"code": "timeout", "detail": "Too late.", "requestId": "x"}}';
    const problem = JSON.parse(error) as { readonly error: object };
    Object.assign(problem.error, { status: 504, title: 'Timeout' });
    await page.evaluate(`send(${JSON.stringify(JSON.stringify(problem))}); answer.close()`);
    await page.getByRole('alert').getByText('Too late.').waitFor();
    expect(await lines()).toBe('5');
    expect(await page.getByText('inside').count()).toBe(1);
    await page.close();
  });

  test('are shown a few times a second', async () => {
    const page = await begin();
    const elapsedMs: number = await page.evaluate(`(async () => {
      const begin = performance.now();
      for (let id = 1; id <= 60; id++) {
        send('{"id": ' + id + '}');
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      answer.close();
      return performance.now() - begin;
    })()`);
    await page.getByText('60 rows', { exact: true }).waitFor();
    const counts: readonly string[] = await page.evaluate('[...counts]');
    expect(counts).toContain('61');
    // At the begin, at the end, without a table, and every 200 ms.
    expect(counts.length).toBeLessThanOrEqual(4 + elapsedMs / 200);
    await page.close();
  });
});
