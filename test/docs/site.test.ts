/** The static site of the documents is built, is searched without a server, and has no dead link. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../support/embedded.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const vitepress = join(repository, 'node_modules/vitepress/bin/vitepress.js');
const site = makeTemporaryDirectory();
/** A build takes 20 seconds, and much longer on a busy machine. */
const BUILD_MS_MAX = 600_000;

beforeAll(() => {
  const words = [vitepress, 'build', 'docs', '--outDir', site];
  execFileSync(process.execPath, words, { cwd: repository, stdio: ['ignore', 'pipe', 'pipe'] });
}, BUILD_MS_MAX);

afterAll(() => rmSync(site, { recursive: true, force: true }));

test('every document is a page', () => {
  const documents = readdirSync(join(repository, 'docs')).filter((name) => name.endsWith('.md'));
  const pages = documents.map((name) =>
    name.replace('README.md', 'index.md').replace('.md', '.html'),
  );
  expect(pages.filter((name) => !existsSync(join(site, 'docs', name)))).toEqual([]);
});

test('no link is dead', () => {
  const pages = readdirSync(site, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.html'));
  const dead = pages.flatMap((page) =>
    linksIn(readFileSync(join(site, page), 'utf8'))
      .filter((link) => !leadsSomewhere(page, link))
      .map((link) => `${page}: ${link}`),
  );
  expect(dead).toEqual([]);
});

test('the search needs no server', () => {
  const assets = readdirSync(join(site, 'assets/chunks'));
  expect(assets.some((name) => name.startsWith('@localSearchIndex'))).toBe(true);
  const pages = readFileSync(join(site, 'index.html'), 'utf8');
  expect(pages).not.toMatch(/(src|href)="https?:\/\/[^"]*\.(js|css|woff2?)"/);
});

function linksIn(html: string): readonly string[] {
  return [...html.matchAll(/<a [^>]*href="([^"#]*)(#[^"]*)?"/g)]
    .map(([, link = '']) => link)
    .filter((link) => link !== '' && !/^(https?|mailto):/.test(link));
}

/** A path without an extension is that of a page or a folder. */
function leadsSomewhere(page: string, link: string): boolean {
  const path = decodeURI(link);
  const target = path.startsWith('/') ? join(site, path) : join(site, dirname(page), path);
  return [target, `${target}.html`, join(target, 'index.html')].some(
    (file) => existsSync(file) && (file !== site || path === '/'),
  );
}
