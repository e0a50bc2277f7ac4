/** Loads a schema: decode, derive, and tell all that is wrong with it at once. */
import type { Problem } from '../errors.js';
import { decodeSchema } from './decode.js';
import { deriveSchema } from './derive.js';
import { rootNode } from './document.js';
import { freezeDeep } from './freeze.js';
import type { Schema } from './model.js';
import { throwProblems } from './problems.js';

/**
 * The schema of a document whose variables are replaced (see `substitute`), frozen. Throws one
 * EngineError ('schema-invalid') that lists all problems; `place` is that of the first one.
 */
export function loadSchema(document: unknown): Schema {
  const { schema, problems } = readSchema(document);
  throwProblems(problems);
  return freezeDeep(schema);
}

/** All problems of a document, in the order in which they were found; none when it loads. */
export function checkSchema(document: unknown): readonly Problem[] {
  return readSchema(document).problems;
}

function readSchema(document: unknown): { schema: Schema; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const schema = deriveSchema(decodeSchema(rootNode(document, problems)));
  return { schema, problems };
}
