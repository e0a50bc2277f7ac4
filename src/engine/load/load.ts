/** Loads a schema: decodes and completes it, and reports all errors at once. */
import type { Problem } from '../errors.js';
import { checkColumns } from './check-columns.js';
import { checkExpressions } from './check-expressions.js';
import { checkRowExpressions } from './check-row-expressions.js';
import { decodeSchema } from '../schema/decode.js';
import { deriveSchema } from '../schema/derive.js';
import { rootNode } from '../schema/document.js';
import { type Environment, replaceVariables } from '../schema/environment.js';
import type { Schema } from '../schema/model.js';
import { throwProblems } from '../schema/problems.js';

/**
 * The frozen schema of a document in which variables have been replaced (see `substitute`). Throws one
 * `schema-invalid` error that lists all problems; its `place` is that of the first one.
 */
export function loadSchema(document: unknown): Schema {
  const { schema, problems } = readSchema(document);
  throwProblems(problems);
  return freezeDeep(schema);
}

/**
 * All problems of a document, in the order in which they were found; empty if it loads. If
 * `environment` is given, variables are replaced first; if some are not set, only those are reported.
 */
export function checkSchema(document: unknown, environment?: Environment): readonly Problem[] {
  if (environment === undefined) return readSchema(document).problems;
  const { result, problems } = replaceVariables(document, environment);
  return problems.length > 0 ? problems : readSchema(result).problems;
}

function readSchema(document: unknown): { schema: Schema; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const root = rootNode(document, problems);
  const schema = deriveSchema(decodeSchema(root));
  if (problems.length === 0) checkColumns(schema, root);
  // Otherwise every expression that uses a wrong name would report it again.
  if (problems.length === 0) checkExpressions(schema, root);
  if (problems.length === 0) checkRowExpressions(schema, root);
  return { schema, problems };
}

function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const name in value) freezeDeep(value[name]);
  return value;
}
