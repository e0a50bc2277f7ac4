/**
 * The static site of the documents: `npm run docs:build` writes it to `dist-docs`. Its search works
 * offline.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';

/** The titles of the pages by their names in `docs`, in groups. */
const pages = {
  Start: {
    '': 'All documents',
    'your-database': 'Your database in ten minutes',
    console: 'The console',
    client: 'The TypeScript client',
  },
  Queries: {
    language: 'The query language',
    functions: 'Functions',
    writes: 'Writes',
    cookbook: 'Cookbook',
    http: 'HTTP',
    errors: 'Error codes',
  },
  'The schema': {
    'schema-file': 'The schema file',
    views: 'Views',
    sources: 'Sources, stages and mappings',
    databases: 'Databases',
  },
  Operation: {
    operations: 'Operations',
    configuration: 'Configuration',
    observability: 'Observability',
    security: 'Security',
    reliability: 'Reliability',
    performance: 'Performance',
  },
  Further: {
    library: 'In your own program',
    'from-lambdaorm-svc': 'Coming from lambdaorm-svc',
    comparison: 'A comparison',
  },
};

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
    sidebar: Object.entries(pages).map(([text, group]) => ({
      text,
      items: Object.entries(group).map(([name, title]) => ({ text: title, link: `/docs/${name}` })),
    })),
    outline: [2, 3],
    search: { provider: 'local' },
  },
});
