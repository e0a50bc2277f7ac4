/** The catalog of the sample domain, and the limits of a gateway. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import {
  type CompiledQuery,
  compileQuery,
  createCatalog,
  loadSchema,
  substitute,
} from '../../dist/engine/index.js';

const SCHEMA = new URL('../../schemas/northwind.yaml', import.meta.url);
const limits = { expressionLengthMax: 65_536, nestingMax: 64, includeDepthMax: 8 };

const document: unknown = parse(readFileSync(SCHEMA, 'utf8'));
const catalog = createCatalog(loadSchema(substitute(document, {})));

export function compileOnSample(expression: string): CompiledQuery {
  return compileQuery(catalog, { expression, stage: 'default', view: 'default', limits });
}
