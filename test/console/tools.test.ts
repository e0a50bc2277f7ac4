/** The tools for queries: history, links, code to copy, stages and views, keys. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestOf, makeKey } from '../../src/gateway/access/keys-file.js';
import type { SampleServer } from '../support/sample-program.js';
import { describeInChromium } from './support/browser.js';
import {
  type ConsoleServer,
  copyAs,
  editorOf,
  fragmentOf,
  runQuery,
  startConsole,
  typeQuery,
} from './support/console-page.js';

const run = promisify(execFile);
const QUERY = 'Shippers.filter(p=>p.name==name)';
const DATA = { name: "Porter's & Cie" };
const ROW = { id: 3, name: "Porter's & Cie", phone: '+33 1 55 50 17 33' };

describeInChromium('the console', () => {
  let server: ConsoleServer;

  beforeAll(async () => {
    server = await startConsole((sample) => ['--schema', writeSchema(sample)]);
  });

  afterAll(() => server.close());

  test('remembers the executed queries, even after it was closed', async () => {
    const { page } = await server.open('#query=');
    for (const query of ['Shippers', 'Categories.take(1)', 'Shippers']) {
      await typeQuery(page, query);
      await runQuery(page);
    }
    await page.close();
    const again = await server.open(fragmentOf('Orders'));
    await again.page.getByRole('button', { name: 'History' }).click();
    const entries = again.page.getByRole('dialog').getByRole('listitem');
    const queries = await entries.locator('code').allInnerTexts();
    expect(queries.slice(0, 2)).toEqual(['Shippers', 'Categories.take(1)']);
    await entries.nth(1).getByRole('button').click();
    expect(await editorOf(again.page).innerText()).toBe('Categories.take(1)');
    await again.page.getByRole('button', { name: 'History' }).click();
    await again.page.getByRole('button', { name: 'Clear the history' }).click();
    expect(await entries.count()).toBe(0);
    await again.page.close();
  });

  test('copies a link that opens the same query with the same data', async () => {
    const { page } = await server.open(fragmentOf(QUERY, DATA));
    const link = await copyAs(page, 'Link');
    await page.close();
    const { page: opened, requests } = await server.browser.open(link);
    expect(await editorOf(opened).innerText()).toBe(QUERY);
    await expect.poll(() => opened.getByLabel('name string').inputValue()).toBe(DATA.name);
    // The query is in the fragment, which no server receives.
    expect(requests.filter((address) => address.includes('Shippers.filter'))).toEqual([]);
    await opened.close();
  });

  test('copies a curl command that gives the same rows', async () => {
    const { page } = await server.open(fragmentOf(QUERY, DATA));
    const command = await copyAs(page, 'curl');
    await page.close();
    const { stdout } = await run('sh', ['-c', command]);
    expect(JSON.parse(stdout)).toEqual([ROW]);
  });

  test('copies no values of parameters that were renamed', async () => {
    const { page } = await server.open();
    await page.getByLabel('freight decimal').waitFor();
    await typeQuery(page, 'Shippers.filter(p=>p.name==nam)');
    await page.getByLabel('nam string').fill('X');
    await typeQuery(page, 'Shippers.filter(p=>p.name==name)');
    await page.getByLabel('name string').fill('Y');
    expect(await copyAs(page, 'curl')).toContain(`"data":{"name":"Y"}`);
    await page.close();
  });

  test('copies a fetch call that gives the same rows', async () => {
    const { page } = await server.open(fragmentOf(QUERY, DATA));
    const code = await copyAs(page, 'fetch');
    await page.close();
    const { stdout } = await runScript(code);
    expect(JSON.parse(stdout)).toEqual([ROW]);
  });

  test('copies code for the client that gives the same rows', async () => {
    const { page } = await server.open(fragmentOf(QUERY, DATA));
    const code = await copyAs(page, 'Client code');
    expect(code).toBe(`import { createClient } from '@rowgate/client';

const db = createClient({ url: "${server.program.base}/" });
const rows = await db.query(\`${QUERY}\`, {
  "name": "Porter's & Cie"
}).run();
`);
    await page.close();
    const { stdout } = await runScript(code);
    expect(JSON.parse(stdout)).toEqual([ROW]);
  });

  test.each(['curl', 'fetch', 'Client code'])(
    'copies all digits of a number as %s, without values that are not used',
    async (form) => {
      const query = 'Shippers.filter(p=>p.id==1).map(p=>({sum: p.id+x}))';
      const { page } = await server.open(
        `${fragmentOf(query)}&data=${encodeURIComponent('{"x": 9007199254740993}')}`,
      );
      await page.getByLabel('x', { exact: false }).first().waitFor();
      await typeQuery(page, query.replace('1', 'id'));
      await page.getByLabel('id integer').fill('2');
      await typeQuery(page, query);
      await page.getByLabel('id integer').waitFor({ state: 'detached' });
      const code = await copyAs(page, form);
      await page.close();
      expect(code).toContain('9007199254740993');
      expect(code).not.toMatch(/"id[\\"]/);
      const { stdout } = await (form === 'curl' ? run('sh', ['-c', code]) : runScript(code));
      expect(stdout).toContain('9007199254740994');
    },
  );

  test('lets the user choose the stage and the view, for queries and for completion', async () => {
    const { page } = await server.open(fragmentOf('Shippers.sort(p=>p.id)'));
    await page.getByLabel('View', { exact: true }).selectOption('public');
    await runQuery(page);
    const heads = page.getByRole('columnheader');
    await expect.poll(() => heads.allInnerTexts()).toEqual(['id', 'name']);
    await page.getByLabel('Stage', { exact: true }).selectOption('second');
    const code = await copyAs(page, 'Client code');
    expect(code).toContain('stage: "second", view: "public"');
    await page.close();
  });
});

describeInChromium('a gateway with another schema and an admin port', () => {
  let server: ConsoleServer;

  beforeAll(async () => {
    const schema = `
domain:
  version: 1.0.0
  entities:
    - { name: Shippers, primaryKey: [id], properties: [{ name: id, type: integer }] }
infrastructure:
  mappings:
    - name: default
      entities: [{ name: Shippers, mapping: Shippers, properties: [{ name: id, mapping: ShipperID }] }]
  sources: [{ name: default, dialect: PostgreSQL, mapping: default, connection: '\${DATABASE_URL}' }]
  stages: [{ name: default, sources: [{ name: default }] }]
`;
    const options = ['--admin-port', '0', '--schema'];
    server = await startConsole((sample) => [...options, sample.write('own.yaml', schema)]);
  });

  afterAll(() => server.close());

  test('opens with a query of its first entity, and shows its activity', async () => {
    const { page } = await server.open();
    await expect.poll(() => editorOf(page).innerText()).toBe('Shippers.page(1, 50)');
    await runQuery(page);
    await expect.poll(() => page.getByRole('table').getAttribute('aria-rowcount')).toBe('5');
    await page.getByRole('button', { name: 'Live' }).click();
    const plans = page.getByRole('region', { name: 'Plans that take the most time' });
    await plans.getByRole('button', { name: 'Shippers.page(1, 50)' }).waitFor();
    await page.getByRole('img', { name: /^Throughput: requests [\d.]+\/s/ }).waitFor();
    await page.close();
  });
});

describeInChromium('a gateway that needs keys', () => {
  const key = makeKey();
  let server: ConsoleServer;

  beforeAll(async () => {
    const entry = { name: 'somebody', hash: digestOf(key), allow: ['schema', 'metrics'] };
    const keys = JSON.stringify({ keys: [entry] });
    server = await startConsole((sample) => ['--keys-file', sample.write('keys.json', keys)]);
  });

  afterAll(() => server.close());

  test('asks for a key, refuses a wrong one, and keeps the right one for this tab', async () => {
    const { page } = await server.open(fragmentOf('Shippers'));
    const dialog = page.getByRole('dialog', { name: 'API key or token' });
    await dialog.waitFor();
    // A user who closes the dialog is not asked again at every letter.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await runQuery(page);
    await page.getByRole('alert').getByText('unauthenticated').waitFor();
    expect(await dialog.count()).toBe(0);
    await page.getByRole('button', { name: 'API key or token' }).click();
    await dialog.getByRole('textbox').fill('rgk_wrong');
    await page.keyboard.press('Enter');
    await dialog.getByText('The gateway does not accept this key.').waitFor();
    await dialog.getByRole('textbox').fill(key);
    await dialog.getByRole('button', { name: 'Use this key' }).click();
    await dialog.waitFor({ state: 'detached' });
    await runQuery(page);
    await expect.poll(() => page.getByRole('table').getAttribute('aria-rowcount')).toBe('5');
    expect(await copyAs(page, 'curl')).toContain('-H "Authorization: Bearer $ROWGATE_KEY"');
    expect(await copyAs(page, 'curl')).not.toContain(key);
    await page.reload();
    await runQuery(page);
    expect(await dialog.count()).toBe(0);
    await page.close();
  });
});

/** Executes JavaScript that was copied, and prints its rows. */
function runScript(code: string): Promise<{ readonly stdout: string }> {
  const client = new URL('../../clients/typescript/dist/index.js', import.meta.url).href;
  const script = `${code.replace('@rowgate/client', client)}console.log(JSON.stringify(rows));`;
  return run(process.execPath, ['--input-type=module', '-e', script]);
}

/** Writes the schema of the sample with a second stage, and a view that hides a property. */
function writeSchema(sample: SampleServer): string {
  const text = readFileSync(new URL('../../schemas/northwind.yaml', import.meta.url), 'utf8');
  const stage = '\n    - { name: second, sources: [{ name: default }] }\n  views:';
  const hidden = '{ name: Shippers, properties: [{ name: phone, exclude: true }] }';
  const view = `\n    - { name: public, entities: [${hidden}] }\n`;
  return sample.write('schema.yaml', text.trimEnd().replace('\n  views:', stage) + view);
}
