/** The console in the browser, with the sample domain behind it. */
import type { Locator, Page } from 'playwright-core';
import type { EmbeddedConnection } from '../../../src/embedded/start-embedded.js';
import type { Program } from '../../support/program.js';
import { type SampleServer, startSampleServer } from '../../support/sample-program.js';
import { type Browser, type BrowserPage, startBrowser } from './browser.js';

/** A gateway on the sample domain, and a browser. */
export interface ConsoleServer {
  readonly program: Program;
  readonly connection: EmbeddedConnection;
  readonly browser: Browser;
  /** Opens the console; `fragment` carries a query. */
  open(fragment?: string): Promise<BrowserPage>;
  close(): Promise<void>;
}

/**
 * Starts the gateway and the browser. `flagsOf` returns additional options, and may write the files
 * that they name.
 */
export async function startConsole(
  flagsOf: (sample: SampleServer) => readonly string[] = () => [],
): Promise<ConsoleServer> {
  const sample = await startSampleServer();
  const [program, browser] = await Promise.all([sample.start(flagsOf(sample)), startBrowser()]);
  return {
    program,
    connection: sample.connection,
    browser,
    open: (fragment = '') => browser.open(`${program.base}/console${fragment}`),
    close: async () => {
      await Promise.all([browser.close(), program.stop()]);
      await sample.stop();
    },
  };
}

/** The fragment of a link with a query. */
export function fragmentOf(query: string, data?: unknown): string {
  const members = { query, ...(data !== undefined && { data: JSON.stringify(data) }) };
  return `#${new URLSearchParams(members).toString()}`;
}

/** The editor. */
export function editorOf(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Query expression' });
}

/** Replaces the expression by typing, like a user. */
export async function typeQuery(page: Page, text: string): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.type(text);
}

/** Runs the query, and waits for its end. */
export async function runQuery(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Run/ }).click();
  await page.getByRole('button', { name: /^Run/ }).waitFor();
}

/** The text on the clipboard. */
export function copied(page: Page): Promise<string> {
  return page.evaluate('navigator.clipboard.readText()');
}

/** Copies the query as one of the forms that the menu offers. */
export async function copyAs(page: Page, form: string): Promise<string> {
  await page.getByRole('button', { name: 'Copy as' }).click();
  await page.getByRole('menuitem', { name: form }).click();
  await page.getByText(`${form} copied.`).waitFor();
  return copied(page);
}
