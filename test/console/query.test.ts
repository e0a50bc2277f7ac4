/** Queries in the console: they are executed, and their rows, plan and model are shown. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '../support/embedded.js';
import { describeInChromium } from './support/browser.js';
import {
  type ConsoleServer,
  copied,
  fragmentOf,
  runQuery,
  startConsole,
} from './support/console-page.js';

describeInChromium('a query in the console', () => {
  let server: ConsoleServer;

  beforeAll(async () => {
    server = await startConsole();
  });

  afterAll(() => server.close());

  test('is run, and its rows are shown', async () => {
    const { page, faults } = await server.open(fragmentOf('Shippers.sort(p=>p.id)'));
    await runQuery(page);
    await expect.poll(() => rowsOf(page)).toHaveLength(4);
    expect((await rowsOf(page))[1]).toEqual(['2', 'Überland Spedition', '+49 40 5550188']);
    expect(await page.getByRole('status').allInnerTexts()).toContainEqual(
      expect.stringMatching(/^Done in [\d.]+ m?s$/),
    );
    expect(faults).toEqual([]);
    await page.close();
  });

  test('can be executed with the keyboard alone', async () => {
    const { page } = await server.open(fragmentOf('Shippers.map(p=>p.name)'));
    await page.getByRole('textbox', { name: 'Query expression' }).focus();
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => rowsOf(page)).toHaveLength(4);
    await page.close();
  });

  test('is executed once while the keys are held down, and not again while it runs', async () => {
    const { page } = await server.open(fragmentOf('Shippers.map(p=>p.name)'));
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let sent = 0;
    await page.route('**/execute?*', async (route) => {
      sent += 1;
      await released;
      await route.continue();
    });
    await page.getByRole('textbox', { name: 'Query expression' }).focus();
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => sent).toBe(1);
    await page.keyboard.down('Control');
    await page.keyboard.down('Enter');
    release();
    await expect.poll(() => rowsOf(page)).toHaveLength(4);
    // The key is still down, so that these are repetitions.
    for (const _ of [1, 2, 3]) await page.keyboard.down('Enter');
    await page.getByRole('button', { name: /^Run/ }).waitFor();
    expect(sent).toBe(1);
    await page.keyboard.up('Enter');
    await page.keyboard.press('Enter');
    await expect.poll(() => sent).toBe(2);
    await page.close();
  });

  test('sorts its rows by a column: up, down, and as received', async () => {
    const { page } = await server.open(
      fragmentOf('Shippers.map(p=>[p.id, p.phone]).sort(p=>p.id)'),
    );
    await runQuery(page);
    const head = page.getByRole('columnheader', { name: 'phone' });
    const ids = async () => (await rowsOf(page)).map(([id]) => id);
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    expect(await ids()).toEqual(['1', '3', '2', '4']);
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    expect(await ids()).toEqual(['4', '2', '3', '1']);
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('none');
    expect(await ids()).toEqual(['1', '2', '3', '4']);
    await page.close();
  });

  test('unfolds included rows to any depth, and folds them again', async () => {
    const query =
      'Orders.filter(p=>p.id==1).map(p=>p.id).include(p=>p.details.include(d=>d.product.map(q=>q.name)))';
    const { page } = await server.open(fragmentOf(query));
    await runQuery(page);
    const details = page.getByRole('button', { name: 'details: 2 rows' });
    await details.click();
    await page.getByRole('button', { name: 'product: object' }).first().click();
    expect((await rowsOf(page)).map((cells) => cells.join(' '))).toEqual([
      '1 2 rows',
      'orderId productId unitPrice quantity discount product',
      '1 17 26.61 9 0 object',
      'name',
      'Old Town Miso 味噌',
      '1 79 5.44 119 0.2 object',
    ]);
    await details.click();
    expect(await rowsOf(page)).toHaveLength(1);
    await page.close();
  });

  test('keeps only the rows in sight in the page', async () => {
    const { page } = await server.open(fragmentOf('Orders.sort(p=>p.id)'));
    await runQuery(page);
    const table = page.getByRole('table');
    expect(await table.getAttribute('aria-rowcount')).toBe('901');
    expect((await rowsOf(page)).length).toBeLessThan(80);
    await page
      .getByRole('region', { name: 'Rows' })
      .evaluate((element: { scrollTo(x: number, y: number): void }) => element.scrollTo(0, 1e9));
    await expect.poll(async () => (await rowsOf(page)).at(-1)?.[0]).toBe('900');
    await page.close();
  });

  test('gives its rows as CSV and as JSON', async () => {
    const query = 'Shippers.map(p=>[p.id, p.phone]).sort(p=>p.id)';
    const { page } = await server.open(fragmentOf(query));
    await runQuery(page);
    await page.getByRole('button', { name: 'Copy the rows as CSV' }).click();
    await expect
      .poll(() => copied(page))
      .toMatch(/^id,phone\r\n1,\(503\) 555-0142\r\n[^]*\r\n4,\r\n$/);
    await page.getByRole('button', { name: 'Copy the rows as JSON' }).click();
    await expect.poll(() => copied(page)).toMatch(/^\[/);
    expect(JSON.parse(await copied(page))).toContainEqual({ id: 4, phone: null });
    await page.close();
  });

  test('shows all digits of a number', async () => {
    const query = 'Products.filter(p=>p.id==1).map(p=>({sum: p.id+x}))';
    const { page } = await server.open(fragmentOf(query, { x: '12345678901234567890.25' }));
    await runQuery(page);
    await expect.poll(() => rowsOf(page)).toEqual([['12345678901234567891.25']]);
    await page.close();
  });

  test('sends all digits of a number, also after another parameter was entered', async () => {
    const query = 'Products.filter(p=>p.id==id).map(p=>({sum: p.id+x}))';
    const data = '{"x": 9007199254740993, "id": 1}';
    const { page } = await server.open(`${fragmentOf(query)}&data=${encodeURIComponent(data)}`);
    await runQuery(page);
    await expect.poll(() => rowsOf(page)).toEqual([['9007199254740994']]);
    await page.getByLabel('id integer').fill('3');
    await runQuery(page);
    await expect.poll(() => rowsOf(page)).toEqual([['9007199254740996']]);
    await page.close();
  });

  test('shows the number of rows that a write has changed', async () => {
    const query = 'Shippers.update({phone: phone}).filter(p=>p.id==id)';
    const { page } = await server.open(fragmentOf(query, { id: 1, phone: '555-0142' }));
    await runQuery(page);
    await expect.poll(() => rowsOf(page)).toEqual([['1']]);
    await page.close();
  });

  test('that fails shows why, with the code and the request', async () => {
    const { page } = await server.open(fragmentOf('Products.filter(p=>p.id==id)', { id: 'x' }));
    await runQuery(page);
    const problem = page.getByRole('alert');
    await expect.poll(() => problem.innerText()).toContain('parameter-type');
    expect(await problem.innerText()).toMatch(/Request\s+\S+/);
    await page.close();
  });

  test('has a form of its parameters, with an input for each type', async () => {
    const query =
      'Orders.filter(p=>p.freight>freight && p.orderDate>since && in(p.id, ids) && p.customerId==entity.customer && flag)';
    const { page } = await server.open(fragmentOf(query));
    const form = page.getByRole('region', { name: 'Parameters' });
    await form.getByLabel('freight', { exact: false }).first().fill('100');
    await form.getByLabel('since dateTime').fill('2021-01-01');
    await form.getByLabel('ids [integer]').fill('1, 2, 3');
    await form.getByLabel('entity.customer string').fill('X');
    await form.getByLabel('flag boolean').selectOption('true');
    await form.getByRole('button', { name: 'JSON' }).click();
    const text = await form.getByRole('textbox').inputValue();
    expect(JSON.parse(text)).toEqual({
      freight: 100,
      since: '2021-01-01',
      ids: [1, 2, 3],
      entity: { customer: 'X' },
      flag: true,
    });
    await form.getByRole('button', { name: 'Form' }).click();
    await form.getByRole('button', { name: 'flag is null' }).click();
    await runQuery(page);
    await expect.poll(() => page.getByText('The query has no rows.').count()).toBe(1);
    await page.close();
  });

  test('shows its SQL with colours, and that of its includes', async () => {
    const { page } = await server.open(
      fragmentOf('Orders.filter(p=>p.id==id).include(p=>p.details)'),
    );
    await page.getByRole('tab', { name: 'Plan' }).click();
    const statements = page.getByRole('tabpanel').locator('pre');
    await expect.poll(() => statements.allInnerTexts()).toHaveLength(2);
    expect((await statements.allInnerTexts())[0]).toMatch(
      /\nFROM Orders o\nWHERE o\.OrderID = \$1/,
    );
    expect(await statements.first().locator('.sql-keyword').allInnerTexts()).toContain('SELECT');
    await page.getByRole('button', { name: 'Copy the SQL of Orders.details' }).click();
    await expect.poll(() => copied(page)).toMatch(/^SELECT .* FROM "Order Details"/);
    await page.close();
  });

  test('shows where the time of its answer went', async () => {
    const { page } = await server.open(fragmentOf('Shippers'));
    await runQuery(page);
    const parts = page.getByRole('list', { name: 'Where the time went' }).getByRole('listitem');
    await expect
      .poll(() => parts.allInnerTexts())
      .toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^db [\d.]+ ms$/),
          expect.stringMatching(/^network [\d.]+ m?s$/),
        ]),
      );
    await page.close();
  });

  test('is explained by its database on demand: as planned, or as measured', async () => {
    const query = 'Orders.filter(p=>p.id==id).include(p=>p.details)';
    const { page } = await server.open(fragmentOf(query, { id: 1 }));
    await page.getByRole('tab', { name: 'Plan' }).click();
    const plans = page.getByRole('region', { name: 'Execution plan' });
    await plans.getByRole('button', { name: 'Explain', exact: true }).click();
    const steps = plans.getByRole('listitem');
    await expect
      .poll(() => steps.first().innerText())
      .toMatch(/^\w.* Scan .*orders.*cost [\d.]+$/i);
    expect(await plans.getByRole('heading').allInnerTexts()).toEqual([
      'Execution plan',
      'Orders',
      'Orders.details',
    ]);
    // The result comes into view, although the statements fill the tab.
    const panel = await page.getByRole('tabpanel').boundingBox();
    const bottom = (panel?.y ?? 0) + (panel?.height ?? 0);
    await expect.poll(async () => (await steps.first().boundingBox())?.y).toBeLessThan(bottom - 20);
    await plans.getByRole('button', { name: 'Run and explain' }).click();
    await expect.poll(() => steps.first().innerText()).toMatch(/1 row, cost [\d.]+, [\d.]+ ms$/);
    await page.close();
  });

  test('shows the model of its rows as a tree', async () => {
    const query = 'Orders.map(p=>[p.id, p.freight]).include(p=>p.customer.map(c=>c.name))';
    const { page } = await server.open(fragmentOf(query));
    await page.getByRole('tab', { name: 'Model' }).click();
    const items = page.getByRole('tabpanel').getByRole('listitem');
    await expect.poll(() => items.allInnerTexts()).toHaveLength(4);
    expect((await items.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      'id integer',
      'freight decimal',
      'customer Customers name string',
      'name string',
    ]);
    await page.close();
  });

  test('is stopped together with its statement while it runs', async () => {
    const { page } = await server.open(fragmentOf('Shippers'));
    await withClient(server.connection, async (client) => {
      await client.query('BEGIN');
      await client.query('LOCK TABLE Shippers IN ACCESS EXCLUSIVE MODE');
      await page.getByRole('button', { name: /^Run/ }).click();
      const waiting = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'shippers'::regclass`;
      const isWaiting = async () => (await client.query(waiting)).rowCount === 1;
      await expect.poll(isWaiting).toBe(true);
      await page.getByRole('button', { name: 'Stop' }).click();
      await expect.poll(() => page.locator('.summary').innerText()).toMatch(/^Stopped in/);
      await expect.poll(isWaiting).toBe(false);
      await client.query('ROLLBACK');
    });
    await page.close();
  });

  test('reads 10,000 rows, and all of them on demand', async () => {
    const { page } = await server.open(fragmentOf('Shippers.filter(p=>p.id>1000)'));
    await withClient(server.connection, async (client) => {
      await client.query(
        `INSERT INTO Shippers (ShipperID, CompanyName) SELECT n, n FROM generate_series(1001, 13000) n`,
      );
      await runQuery(page);
      await page.getByText('The first 10,000 rows.').waitFor();
      await page.getByRole('button', { name: 'Read all' }).click();
      await page.getByText('12,000 rows', { exact: true }).waitFor();
      expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('12001');
      await client.query('DELETE FROM Shippers WHERE ShipperID > 1000');
    });
    await page.close();
  });

  test('does not offer to read all rows of a write, which would write again', async () => {
    const rows = Array.from({ length: 10_001 }, (_, n) => ({ id: 20_000 + n, name: `x${n}` }));
    const { page } = await server.open(fragmentOf('Shippers.bulkInsert(rows)', { rows }));
    await runQuery(page);
    await page.getByText('The first 10,000 rows.').waitFor();
    expect(await page.getByRole('button', { name: 'Read all' }).count()).toBe(0);
    await withClient(server.connection, (client) =>
      client.query('DELETE FROM Shippers WHERE ShipperID >= 20000'),
    );
    await page.close();
  });
});

/** The texts of the cells of all rows below the head. */
async function rowsOf(page: Page): Promise<string[][]> {
  const rows = await page.locator('.lines [role=row]').all();
  return Promise.all(rows.map((row) => row.getByRole('cell').allInnerTexts()));
}
