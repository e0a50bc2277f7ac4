/** Parts of JSON and of arrays as SQL. */
import type { BoundElement, BoundJsonPath } from '../query/logical.js';
import { placeholderFor, type RenderContext, renderOperand } from './render-expression.js';

/** Renders a path into JSON. It becomes an argument, because its names come from the query. */
export function renderJsonPath(
  context: RenderContext,
  { document, steps, type }: BoundJsonPath,
): string {
  const { dialect } = context;
  const text = dialect.jsonPath(steps);
  const path = () => placeholderFor(context, { kind: 'literal', text, type: 'string' });
  return dialect.jsonPart(() => renderOperand(context, document), path, type);
}

/** The item of an array at its place. */
export function renderElement(
  context: RenderContext,
  { array, index, type }: BoundElement,
): string {
  return context.dialect.element(() => renderOperand(context, array), index, type);
}
