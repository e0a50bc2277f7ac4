/** Which blocks of the documents other tests than `commands.test.ts` run. */
import { readdirSync, readFileSync } from 'node:fs';
import { queriesIn } from '../language/doc-examples.js';
import { begins, type Block } from './blocks.js';
import { examplesIn, samplePages } from './examples.js';
import { typeScriptIn, typeScriptPages } from './typescript-examples.js';

const repository = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, repository), 'utf8');

/** All documents except the list of changes. */
export const pages: readonly string[] = ['', 'docs/', 'deploy/', 'bench/', 'clients/typescript/']
  .flatMap((folder) => readdirSync(new URL(folder, repository)).map((name) => `${folder}${name}`))
  .filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md');

const CALL = /\bblock(s?)Of\(\s*'([^']+)',\s*'((?:[^'\\]|\\.)+)',?\s*\)/g;

/** The blocks that tests get by `blockOf` and `blocksOf`. */
const calls = readdirSync(new URL('test', repository), { recursive: true })
  .map((path) => `test/${String(path)}`)
  .filter((path) => path.endsWith('.test.ts'))
  .flatMap((path) => [...read(path).matchAll(CALL)])
  .map(([, all, page = '', key = '']) => ({
    page,
    isOf: (block: Block) =>
      all === '' ? begins(block, key.replaceAll('\\n', '\n')) : block.language === key,
  }));

/** Whether a test gets the block, or it belongs to an example. */
export function isRunElsewhere(page: string, block: Block): boolean {
  if (calls.some((call) => call.page === page && call.isOf(block))) return true;
  return examplesOf(page).includes(block.text);
}

/** The blocks of the examples that `docs.test.ts`, `client-examples.test.ts` and `language/docs.test.ts` run. */
function examplesOf(page: string): readonly (string | undefined)[] {
  const text = read(page);
  if (page === 'docs/language.md') {
    return queriesIn(text).flatMap(({ query, data, shown }) => [query, data, shown]);
  }
  // `your-database.test.ts` runs the examples of its page with other tables.
  const isOwn = page === 'docs/your-database.md';
  const requests = isOwn || samplePages.includes(page) ? examplesIn(text) : [];
  const programs = isOwn || typeScriptPages.includes(page) ? typeScriptIn(text) : [];
  return [
    ...requests.flatMap(({ call, shown }) => [call, shown]),
    ...programs.flatMap(({ code, shown }) => [code, shown]),
  ];
}
