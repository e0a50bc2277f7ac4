/**
 * The static site of the documents: `npm run docs:build` writes it to `dist-docs`. Its search works
 * offline.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';

const pages = [
  {
    text: 'Start',
    items: [
      { text: 'All documents', link: '/docs/' },
      { text: 'Your database in ten minutes', link: '/docs/your-database' },
      { text: 'The console', link: '/docs/console' },
      { text: 'The TypeScript client', link: '/docs/client' },
    ],
  },
  {
    text: 'Queries',
    items: [
      { text: 'The query language', link: '/docs/language' },
      { text: 'Functions', link: '/docs/functions' },
      { text: 'Writes', link: '/docs/writes' },
      { text: 'Cookbook', link: '/docs/cookbook' },
      { text: 'HTTP', link: '/docs/http' },
      { text: 'Error codes', link: '/docs/errors' },
    ],
  },
  {
    text: 'The schema',
    items: [
      { text: 'The schema file', link: '/docs/schema-file' },
      { text: 'Views', link: '/docs/views' },
      { text: 'Sources, stages and mappings', link: '/docs/sources' },
      { text: 'Databases', link: '/docs/databases' },
    ],
  },
  {
    text: 'Operation',
    items: [
      { text: 'Operations', link: '/docs/operations' },
      { text: 'Configuration', link: '/docs/configuration' },
      { text: 'Observability', link: '/docs/observability' },
      { text: 'Security', link: '/docs/security' },
      { text: 'Reliability', link: '/docs/reliability' },
      { text: 'Performance', link: '/docs/performance' },
    ],
  },
  {
    text: 'Further',
    items: [
      { text: 'In your own program', link: '/docs/library' },
      { text: 'Coming from lambdaorm-svc', link: '/docs/from-lambdaorm-svc' },
      { text: 'A comparison', link: '/docs/comparison' },
    ],
  },
];

export default defineConfig({
  title: 'Rowgate',
  description: 'A query gateway: post an expression, get rows',
  cleanUrls: true,
  srcDir: '..',
  srcExclude: ['bench/peers', 'clients', 'node_modules', 'src', 'test'].map((name) => `${name}/**`),
  outDir: '../dist-docs',
  cacheDir: '../dist-docs-cache',
  rewrites: { 'README.md': 'index.md', 'docs/README.md': 'docs/index.md' },
  // Files that the pages link to, which are copied beside them.
  ignoreDeadLinks: [/\/LICENSE$/, /\/(Dockerfile|rowgate\.service|haproxy\.cfg|Caddyfile)$/],
  buildEnd: ({ outDir }) => {
    for (const path of ['LICENSE', 'deploy', 'schemas'])
      cpSync(new URL(`../../${path}`, import.meta.url), join(outDir, path), { recursive: true });
  },
  markdown: {
    languageAlias: { query: 'ts', ndjson: 'json' },
    // A README is the index of its folder here.
    config: ({ renderer: { rules } }) => {
      const link = rules.link_open;
      rules.link_open = (...given) =>
        (link?.(...given) ?? '').replace(/(href="[^"]*\/)README(?=["#])/, '$1');
    },
  },
  themeConfig: {
    sidebar: pages,
    outline: [2, 3],
    search: { provider: 'local' },
  },
});
