/** Debian's Chromium, in which the console is tested. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { describe } from 'vitest';
import { findProgram } from '../../support/find-program.js';

const program = findProgram('chromium');

/** What keeps Chromium from asking hosts of its own. */
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
];

/** A browser that has never been used. */
export interface Browser {
  readonly context: BrowserContext;
  /** Opens a page. What goes wrong in it is recorded. */
  open(address: string): Promise<BrowserPage>;
  close(): Promise<void>;
}

/** A page, with what was observed in it. */
export interface BrowserPage {
  readonly page: Page;
  /** Errors of scripts, and of the policy about what may be loaded. */
  readonly faults: readonly string[];
  /** The addresses of all requests. */
  readonly requests: readonly string[];
}

/** Declares a suite that needs Chromium. */
export function describeInChromium(name: string, suite: () => void): void {
  const isFound = program !== undefined;
  const reason = isFound ? '' : ': Chromium is not installed (apt-get install chromium)';
  describe.runIf(isFound)(`${name}${reason}`, () => {
    suite();
  });
}

/** Starts Chromium with a folder of its own for its data. */
export async function startBrowser(
  options: { readonly width?: number; readonly height?: number; readonly isPhone?: boolean } = {},
): Promise<Browser> {
  const { width = 1360, height = 860, isPhone = false } = options;
  const folder = mkdtempSync(join(tmpdir(), 'rowgate-chromium-'));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: program ?? '',
    headless: true,
    args: FLAGS,
    viewport: { width, height },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...(isPhone && { hasTouch: true, deviceScaleFactor: 2 }),
  });
  context.setDefaultTimeout(15_000);
  return {
    context,
    open: (address) => openPage(context, address),
    close: async () => {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openPage(context: BrowserContext, address: string): Promise<BrowserPage> {
  const page = await context.newPage();
  const faults: string[] = [];
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // A refused query is an answer that the tests expect; Chromium reports its status.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      faults.push(message.text());
    }
  });
  await page.goto(address);
  return { page, faults, requests };
}
