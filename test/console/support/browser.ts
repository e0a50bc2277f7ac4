/** Debian's Chromium, in which the console is tested. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { describe } from 'vitest';
import { findProgram } from '../../support/find-program.js';

const program = findProgram('chromium');

/** Flags that keep Chromium from contacting hosts by itself. */
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
];

/** A browser with a new profile. */
export interface Browser {
  readonly context: BrowserContext;
  /** Opens a page, and records its errors. */
  open(address: string): Promise<BrowserPage>;
  close(): Promise<void>;
}

/** A page, and what was recorded about it. */
export interface BrowserPage {
  readonly page: Page;
  /** Errors of scripts, and violations of the content security policy. */
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

/** Starts Chromium with a separate folder for its data. */
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
    // Refused queries are expected, but Chromium reports their status as an error.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      faults.push(message.text());
    }
  });
  await page.goto(address);
  return { page, faults, requests };
}
