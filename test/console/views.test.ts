/** Every view of the console: the schema, the live figures, and accessibility. */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { post } from '../support/program.js';
import { describeInChromium } from './support/browser.js';
import {
  type ConsoleServer,
  editorOf,
  fragmentOf,
  runQuery,
  startConsole,
} from './support/console-page.js';

const QUERY = 'Orders.filter(p=>p.freight>freight).map(p=>[p.id, p.freight]).include(p=>p.details)';

/** Opens each view, and waits until it shows its content. */
const looks: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  rows: async (page) => {
    await runQuery(page);
    await page
      .getByRole('button', { name: /^details: / })
      .first()
      .click();
  },
  plan: async (page) => {
    await page.getByRole('tab', { name: 'Plan' }).click();
    await page.getByText('SELECT').first().waitFor();
  },
  model: async (page) => {
    await page.getByRole('tab', { name: 'Model' }).click();
    await page.getByText('decimal').nth(1).waitFor();
  },
  'an error': async (page) => {
    await page.getByLabel('freight decimal').fill('much');
    await runQuery(page);
    await page.getByRole('alert').waitFor();
  },
  'the data as JSON': async (page) => {
    await page
      .getByRole('region', { name: 'Parameters' })
      .getByRole('button', { name: 'JSON' })
      .click();
  },
  suggestions: async (page) => {
    await editorOf(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('.');
    await page.locator('.cm-tooltip-autocomplete').waitFor();
  },
  'the menu': async (page) => {
    await page.getByRole('button', { name: 'Copy as' }).click();
  },
  history: async (page) => {
    await page.getByRole('button', { name: 'History' }).click();
  },
  schema: async (page) => {
    await page.getByRole('button', { name: 'Schema' }).click();
    await page.getByRole('group', { name: 'Entities and relations' }).waitFor();
  },
  live: async (page) => {
    await page.getByRole('button', { name: 'Live' }).click();
    await page.getByRole('img', { name: /^Throughput: requests [\d.]+\/s/ }).waitFor();
  },
};

describeInChromium('every view', () => {
  let server: ConsoleServer;

  beforeAll(async () => {
    server = await startConsole();
  });

  afterAll(() => server.close());

  test.each(Object.entries(looks))(
    'is accessible (WCAG AA), light and dark: %s',
    async (_, look) => {
      const { page } = await server.open(fragmentOf(QUERY, { freight: 390 }));
      await look(page);
      await page.evaluate(axe.source);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        expect(await page.evaluate<readonly AxeViolation[]>(AXE_RUN), colorScheme).toEqual([]);
      }
      await page.close();
    },
  );

  test('fits on a phone, and none is wider than the screen', async () => {
    for (const look of ['rows', 'plan', 'schema', 'live']) {
      const { page } = await server.open(fragmentOf(QUERY, { freight: 390 }));
      await page.setViewportSize({ width: 390, height: 844 });
      await looks[look]?.(page);
      expect(await page.evaluate('document.documentElement.scrollWidth'), look).toBe(390);
      await page.close();
    }
  });

  test('is shown in the colours of the system, or in those that were chosen', async () => {
    const { page } = await server.open();
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await ground();
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.getByRole('button', { name: 'Colours: system. Change to light.' }).click();
    expect(await ground()).toBe(light);
    await page.reload();
    expect(await ground()).toBe(light);
    await page.getByRole('button', { name: 'Colours: light. Change to dark.' }).click();
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await ground()).toBe(dark);
    await page.getByRole('button', { name: 'Colours: dark. Change to system.' }).click();
    expect(await ground()).toBe(light);
    await page.close();
  });

  test('can be reached with the keyboard alone', async () => {
    const { page } = await server.open(fragmentOf('Shippers'));
    await pressUntil(page, 'Tab', 'Schema');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Products \d/ }).waitFor();
    await pressUntil(page, 'Tab', 'Products10 properties, 3 relations');
    await page.keyboard.press('Space');
    await page.getByRole('heading', { name: 'Products' }).waitFor();
    await pressUntil(page, 'Shift+Tab', 'Query');
    await page.keyboard.press('Enter');
    await pressUntil(page, 'Tab', 'Rows');
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('tab', { name: 'Plan' }).getAttribute('aria-selected')).toBe(
      'true',
    );
    await page.close();
  });

  test('can be captured in screenshots: light, dark, on a phone', async () => {
    const folder = pictureFolder();
    const pictures = [
      { name: 'console-light', colorScheme: 'light', width: 1360, height: 860, look: 'rows' },
      { name: 'console-dark', colorScheme: 'dark', width: 1360, height: 860, look: 'plan' },
      { name: 'console-schema', colorScheme: 'light', width: 1360, height: 860, look: 'schema' },
      { name: 'console-live', colorScheme: 'dark', width: 1360, height: 860, look: 'live' },
      { name: 'console-phone', colorScheme: 'light', width: 390, height: 844, look: 'rows' },
    ] as const;
    for (const { name, colorScheme, width, height, look } of pictures) {
      const { page } = await server.open(fragmentOf(QUERY, { freight: 390 }));
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await looks[look]?.(page);
      const picture = await page.screenshot({ path: join(folder, `${name}.png`) });
      expect(picture.length).toBeGreaterThan(10_000);
      await page.close();
    }
  });

  test('of the schema is a diagram of entities and relations to click through', async () => {
    const { page } = await server.open();
    await page.getByRole('button', { name: 'Schema' }).click();
    const diagram = page.getByRole('group', { name: 'Entities and relations' });
    await expect.poll(() => diagram.getByRole('button').count()).toBe(8);
    expect(await diagram.locator('.edge').count()).toBe(7);
    await diagram.getByRole('button', { name: /^Orders \d/ }).click();
    const panel = page.getByRole('region', { name: 'Orders', exact: true });
    expect(await panel.getByRole('listitem').allInnerTexts()).toContainEqual(
      expect.stringMatching(/^freight\s+decimal$/),
    );
    await panel.getByRole('button', { name: 'Customers' }).click();
    await page.getByRole('region', { name: 'Customers', exact: true }).waitFor();
    const pressed = diagram.getByRole('button', { name: 'Customers' });
    expect(await pressed.getAttribute('aria-pressed')).toBe('true');
    await page.close();
  });

  test('of the schema leads to a query of an entity', async () => {
    const { page } = await server.open();
    await page.getByRole('button', { name: 'Schema' }).click();
    await page.getByLabel('Entity').selectOption('Products');
    await page
      .getByRole('region', { name: 'Products' })
      .getByRole('button', { name: 'Query' })
      .click();
    expect(await editorOf(page).innerText()).toBe('Products.page(1, 50)');
    await page.close();
  });

  test('of the schema can be enlarged', async () => {
    const { page } = await server.open();
    await page.getByRole('button', { name: 'Schema' }).click();
    const diagram = page.getByRole('group', { name: 'Entities and relations' });
    const before = await diagram.boundingBox();
    await page.getByRole('button', { name: 'Larger' }).click();
    const after = await diagram.boundingBox();
    expect(after?.width).toBeGreaterThan(before?.width ?? Infinity);
    await page.close();
  });

  test('of live figures shows throughput, batches, cache and connections as they change, until it is paused', async () => {
    const { page } = await server.open();
    await page.getByRole('button', { name: 'Live' }).click();
    const titles = page.getByRole('img');
    await expect.poll(() => titles.count()).toBe(6);
    await expect
      .poll(async () => {
        await Promise.all(
          Array.from({ length: 20 }, (_, id) =>
            post(server.program, '/execute', { query: 'Orders.filter(p=>p.id==id)', data: { id } }),
          ),
        );
        return page.getByRole('img', { name: /^Throughput: requests [1-9]/ }).count();
      })
      .toBe(1);
    await expect
      .poll(() => page.getByRole('img', { name: /^Plan cache: hits \d+ %/ }).count())
      .toBe(1);
    await expect
      .poll(() => page.getByRole('img', { name: /^Batches: reads to a statement \d/ }).count())
      .toBe(1);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    await page.close();
  });
});

interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly string[];
}

/** The rules of WCAG 2.2, levels A and AA, and the practices that axe adds to them. */
const AXE_RUN = `axe
  .run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
  .then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => html.slice(0, 200) + failureSummary) })))`;

/** Presses a key until the element with that label has the focus. */
async function pressUntil(page: Page, pressed: string, label: string): Promise<void> {
  for (let times = 0; times < 60; times++) {
    await page.keyboard.press(pressed);
    const focused = await page.evaluate<string>(
      `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent ?? '').split('\\n')[0].trim()`,
    );
    if (focused === label) return;
  }
  throw new Error(`The focus did not reach ${label}.`);
}

/** `UPDATE_SCREENSHOTS=1` writes the screenshots for the documents, which are not committed. */
function pictureFolder(): string {
  if (process.env['UPDATE_SCREENSHOTS'] !== '1')
    return mkdtempSync(join(tmpdir(), 'rowgate-pictures-'));
  const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  return folder;
}
