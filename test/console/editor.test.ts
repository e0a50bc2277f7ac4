/** The editor: colours, completion, and errors at their position. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '../support/program.js';
import { describeInChromium } from './support/browser.js';
import { type ConsoleServer, editorOf, startConsole, typeQuery } from './support/console-page.js';

describeInChromium('the editor', () => {
  let server: ConsoleServer;
  let page: Page;

  beforeAll(async () => {
    server = await startConsole();
    ({ page } = await server.open('#query='));
    // The vocabulary has arrived once the first entity is suggested.
    await until('entities are suggested', async () => (await suggested(page)).includes('Orders'));
  });

  beforeEach(() => page.keyboard.press('Escape'));

  afterAll(() => server.close());

  test('colours entities, calls, properties, strings and numbers', async () => {
    await typeQuery(page, 'Orders.filter(p=>p.customerId=="X" && p.freight>2');
    const names = ['Orders', 'filter', 'customerId', '"X"', '2'];
    const distinct = async () => {
      const colours = new Map(await page.locator('.cm-line span').evaluateAll(coloursOf));
      return new Set(names.flatMap((name) => colours.get(name) ?? [])).size;
    };
    // The editor colours a text a moment after it was typed.
    await expect.poll(distinct).toBe(names.length);
  });

  test.each([
    { what: 'entities', typed: 'Ca', found: ['Categories'] },
    {
      what: 'clauses of an entity',
      typed: 'Orders.',
      found: ['filter', 'map', 'include'],
    },
    { what: 'clauses that write', typed: 'Orders.ins', found: ['insert'] },
    {
      what: 'properties and relations of the variable of a lambda',
      typed: 'Orders.filter(o=>o.',
      found: ['customerId', 'freight', 'customer', 'details'],
    },
    {
      what: 'properties at the end of a path',
      typed: 'Orders.filter(o=>o.customer.',
      found: ['name', 'country'],
    },
    {
      what: 'relations in an include',
      typed: 'Orders.include(p=>p.',
      found: ['customer', 'details'],
    },
    {
      what: 'the rows of an inner lambda',
      typed: 'Orders.filter(p=>p.details.exists(d=>d.',
      found: ['quantity', 'product'],
    },
    {
      what: 'the rows of a function that takes a relation',
      typed: 'Orders.filter(order => exists(order.details, line => line.',
      found: ['quantity', 'product'],
    },
    { what: 'functions', typed: 'Orders.filter(p=>sub', found: ['substring', 'subtractTime'] },
    {
      what: 'functions after a property',
      typed: 'Orders.filter(p=>p.customerId.low',
      found: ['lower'],
    },
    { what: 'variables', typed: 'Orders.filter(order=>or', found: ['order'] },
  ])('completes $what', async ({ typed, found }) => {
    await typeQuery(page, typed);
    await expect.poll(() => options(page)).toEqual(expect.arrayContaining(found));
  });

  test('describes the selected function, and covers no other suggestion on a phone', async () => {
    await typeQuery(page, 'Orders.filter(p=>subs');
    const description = page.locator('.cm-completionInfo');
    await description.getByText('substring(').waitFor();
    // This fails if it is cut off or covered.
    await description.click({ trial: true });
    await page.setViewportSize({ width: 390, height: 844 });
    await typeQuery(page, 'Orders.filter(p=>subs');
    await expect.poll(() => options(page)).toContain('substring');
    await description.waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 1360, height: 860 });
  });

  test('suggests only relations in an include', async () => {
    await typeQuery(page, 'Orders.include(p=>p.');
    await expect.poll(() => options(page)).toContain('details');
    expect(await options(page)).not.toContain('freight');
  });

  test('completes parameters that were used before', async () => {
    await typeQuery(page, 'Orders.filter(p=>p.freight>cheapest).filter(p=>p.id>1)');
    await page.getByLabel('cheapest decimal').waitFor();
    for (let at = 0; at < 2; at++) await page.keyboard.press('Backspace');
    await page.keyboard.type('che');
    await expect.poll(() => options(page)).toContain('cheapest');
  });

  test('inserts what Tab accepts, with the cursor between the parentheses', async () => {
    await typeQuery(page, 'Orders.filt');
    await expect.poll(() => options(page)).toContain('filter');
    await page.keyboard.press('Tab');
    await expect.poll(() => editorOf(page).innerText()).toBe('Orders.filter(p=>p.)');
    await page.keyboard.type('freig');
    await expect.poll(() => options(page)).toContain('freight');
    await page.keyboard.press('Enter');
    await expect.poll(() => editorOf(page).innerText()).toBe('Orders.filter(p=>p.freight)');
  });

  test('marks an error at its position while the expression is typed, until it is corrected', async () => {
    await typeQuery(page, 'Products.filter(p=>p.prise>1)');
    const mark = page.locator('.cm-lintRange-error');
    await expect.poll(() => mark.allInnerTexts()).toEqual(['prise']);
    const line = page.locator('.fault-line');
    expect(await line.innerText()).toMatch(/^1:22 .*Did you mean 'price'\?$/);
    await typeQuery(page, 'Products.filter(p=>p.price>1)');
    await expect.poll(() => line.innerText()).toBe('No errors');
    expect(await mark.count()).toBe(0);
  });

  test('marks the last character if the expression ends too early', async () => {
    await typeQuery(page, 'Products.page(1');
    await page.keyboard.press('Delete');
    await expect.poll(() => page.locator('.cm-lintRange-error').allInnerTexts()).toEqual(['1']);
  });
});

/** The labels of the suggestions. */
function options(page: Page): Promise<string[]> {
  return page.locator('.cm-tooltip-autocomplete .cm-completionLabel').allInnerTexts();
}

/** The suggestions for the beginning of a name. */
async function suggested(page: Page): Promise<string[]> {
  await typeQuery(page, 'Ord');
  const first = page.locator('.cm-tooltip-autocomplete').first();
  await first.waitFor({ timeout: 1_000 }).catch(() => undefined);
  return options(page);
}

/** The members of an element that this file uses. */
interface Styled {
  readonly innerText: string;
  readonly ownerDocument: {
    readonly defaultView: { getComputedStyle(element: Styled): { readonly color: string } };
  };
}

/** The texts of elements, and their colours. Runs in the page. */
function coloursOf(elements: readonly Styled[]): (readonly [text: string, colour: string])[] {
  return elements.map((element) => {
    const { color } = element.ownerDocument.defaultView.getComputedStyle(element);
    return [element.innerText, color];
  });
}
