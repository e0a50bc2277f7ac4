/* oxlint-disable typescript/no-unsafe-call -- no tsconfig covers this file: nothing has a type. */
/** Writes docs/functions.md from the table of functions; run it after `npm run build`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { functionPage } from '../dist/engine/describe/function-page.js';

const docs = new URL('../docs/', import.meta.url);
mkdirSync(docs, { recursive: true });
writeFileSync(new URL('functions.md', docs), functionPage());
