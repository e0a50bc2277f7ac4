/** Loads a schema: decode, derive, and tell all that is wrong with it at once. */
import type { Problem } from '../errors.js';
import { checkExpressions } from './check-expressions.js';
import { checkRowExpressions } from './check-row-expressions.js';
import { decodeSchema } from '../schema/decode.js';
import { deriveSchema } from '../schema/derive.js';
import { rootNode } from '../schema/document.js';
import { type Environment, replaceVariables } from '../schema/environment.js';
import type { Schema } from '../schema/model.js';
import { throwProblems } from '../schema/problems.js';

/**
 * The schema of a document whose variables are replaced (see `substitute`), frozen. Throws one
 * EngineError ('schema-invalid') that lists all problems; `place` is that of the first one.
 */
export function loadSchema(document: unknown): Schema {
  const { schema, problems } = readSchema(document);
  throwProblems(problems);
  return freezeDeep(schema);
}

/**
 * All problems of a document, in the order in which they were found; none when it loads. With an
 * environment the variables are replaced first; those that are not set are then the only problems.
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
  // What is named wrongly elsewhere would be told once more by every expression over it.
  if (problems.length === 0) checkExpressions(schema, root);
  if (problems.length === 0) checkRowExpressions(schema, root);
  return { schema, problems };
}

/** Freezes a value and all that it holds; answers the value. */
function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const name in value) freezeDeep(value[name]);
  return value;
}
