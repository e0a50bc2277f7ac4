/** Loads the sample domain in the same way as the program. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { createCatalog } from '../../../src/engine/schema/catalog.js';
import { substitute } from '../../../src/engine/schema/environment.js';
import { loadSchema } from '../../../src/engine/load/load.js';

const file = new URL('../../../schemas/northwind.yaml', import.meta.url);

/** A fresh document of the sample's schema file, its variables replaced from `environment`. */
export function northwindDocument(environment: Readonly<Record<string, string>> = {}): unknown {
  return substitute(parse(readFileSync(file, 'utf8')), environment);
}

/** The catalog of the sample. */
export const northwind = createCatalog(loadSchema(northwindDocument()));
