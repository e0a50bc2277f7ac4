/** Renders parts of JSON and of arrays, and tuples. */
import type { BoundColumn, BoundElement, BoundJsonPath, BoundTuple } from '../query/logical.js';
import { placeholderFor } from './placeholders.js';
import { renderColumn, type RenderContext, renderOperand } from './render-expression.js';

/** Renders a path into JSON. It becomes an argument, because its names come from the query. */
export function renderJsonPath(
  context: RenderContext,
  { document, steps, type }: BoundJsonPath,
): string {
  const { dialect } = context;
  const paths = dialect.jsonPaths(steps).map((text) => {
    return () => placeholderFor(context, { kind: 'literal', text, type: 'string' });
  });
  return dialect.jsonPart(() => renderOperand(context, document), paths, type);
}

export function renderElement(
  context: RenderContext,
  { array, index, type }: BoundElement,
): string {
  return context.dialect.element(() => renderOperand(context, array), index, type);
}

/** Renders columns as one value. */
export function renderTuple(context: RenderContext, { items }: BoundTuple): string {
  return context.dialect.tuple(
    items.map((item) => ({ sql: renderColumn(context, item), type: item.type })),
  );
}

/** Renders the condition that columns match one of the tuples in a list. */
export function renderAmongTuples(
  context: RenderContext,
  { items }: BoundTuple,
  column?: number,
): string {
  const parts = items.map(({ type }) => type);
  const place = column === undefined ? {} : { column };
  const tuples = placeholderFor(context, { kind: 'parentKeys', type: 'json', parts, ...place });
  const columns = items.map((item) => renderKeyColumn(context, item));
  return context.dialect.amongTuples(columns, tuples, parts);
}

/** A column that is compared with a list of keys: one of an enumerated type as a string, like the keys. */
export function renderKeyColumn(context: RenderContext, column: BoundColumn): string {
  const sql = renderColumn(context, column);
  return column.enumName === undefined ? sql : context.dialect.plain(sql, 'string');
}
