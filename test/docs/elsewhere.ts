/** The blocks of the documents that other tests than `commands.test.ts` run. */
import { queriesIn } from '../language/doc-examples.js';
import type { Block } from './blocks.js';
import { examplesIn } from './examples.js';
import { typeScriptIn } from './typescript-examples.js';

interface PageBlock extends Block {
  readonly page: string;
}

/** The tests that run further blocks: by the document, and the first characters of the block. */
export const elsewhere: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'README.md': {
    'npm ci': '.ci/run',
    'npm test': '.ci/run',
    'npm run --silent rowgate -- serve --url': 'test/docs/your-database.test.ts',
  },
  'docs/client.md': { npm: 'test/docs/install.test.ts' },
  'clients/typescript/README.md': { 'npm install FOLDER': 'test/docs/install.test.ts' },
  'docs/configuration.md': { 'DATABASE_URL=': 'test/program/npm.test.ts' },
  'docs/console.md': {
    'Ready:': 'test/console/serving.test.ts',
    'npm run build && UPDATE_SCREENSHOTS=1': 'test/console/views.test.ts',
  },
  'docs/http.md': {
    'Link:': 'test/pages/after.test.ts',
    'const query': 'test/docs/cursor-loop.test.ts',
    // This package is on GitHub only, so the command is not run.
    'npm install uNetworking/': 'test/program/optional-packages.test.ts',
  },
  'docs/library.md': { '': 'test/program/library.test.ts' },
  'docs/observability.md': {
    'npm install @opentelemetry/sdk-node': 'test/program/tracing.test.ts',
    'SELECT … WHERE': 'test/program/sql-comments.test.ts',
  },
  // These runs take long: the file is the program that they start.
  'docs/reliability.md': { 'npm run test:reliability': 'test/reliability/long-run.mjs' },
  'docs/schema-file.md': { 'domain:': 'test/docs/schema-file.test.ts' },
  'docs/security.md': { '{ "sub"': 'test/access/tokens.test.ts' },
  'docs/writes.md': { 'CREATE TABLE rowgate_idempotency (\n  `key`': 'test/docs/commands.test.ts' },
  'docs/your-database.md': { '': 'test/docs/your-database.test.ts' },
  'CONTRIBUTING.md': { 'npm ci': '.ci/run' },
  'SECURITY.md': { '': 'test/docs/binaries.test.ts' },
};

/** Whether the tests of examples run the block, or compare it with an answer. */
export function isExample({ page, text, language }: PageBlock, document: string): boolean {
  if (page === 'docs/language.md') {
    const examples = queriesIn(document);
    return examples.some(({ query, data, shown }) => [query, data, shown].includes(text));
  }
  if (language === 'ts') return typeScriptIn(document).some(({ code }) => code === text);
  const shown = [...examplesIn(document), ...typeScriptIn(document)].map((each) => each.shown);
  return shown.includes(text) || (language === 'sh' && text.startsWith('curl '));
}
