/** Renders the numbers of rows that a select is limited to. */
import type { Count } from '../compiled-query.js';
import { invariant } from '../errors.js';
import type { Bound, BoundLimit } from '../query/logical.js';
import { placeholderFor } from './placeholders.js';
import type { RenderContext } from './render-expression.js';

/** LIMIT with its OFFSET. */
export function renderLimit(context: RenderContext, limit: BoundLimit): string {
  if (limit.kind === 'take') return `LIMIT ${renderCountOf(context, limit.count)}`;
  const size = renderCountOf(context, limit.size);
  const start = renderPageEdge(context, 'pageStart', limit);
  return `LIMIT ${size} OFFSET ${start}`;
}

/** The condition that the number of a row is within the limit. */
export function renderRange(context: RenderContext, limit: BoundLimit, number: string): string {
  if (limit.kind === 'take') return `${number} <= ${renderCountOf(context, limit.count)}`;
  const start = renderPageEdge(context, 'pageStart', limit);
  return `${number} > ${start} AND ${number} <= ${renderPageEdge(context, 'pageEnd', limit)}`;
}

function renderCountOf(context: RenderContext, bound: Bound): string {
  const count = countOf(bound);
  if (count.kind === 'literal') return String(count.value);
  return placeholderFor(context, { kind: 'count', count });
}

type Page = Extract<BoundLimit, { kind: 'page' }>;

function renderPageEdge(context: RenderContext, kind: 'pageStart' | 'pageEnd', limit: Page) {
  const [page, size] = [countOf(limit.page), countOf(limit.size)];
  if (page.kind === 'literal' && size.kind === 'literal') {
    return String((kind === 'pageStart' ? page.value - 1 : page.value) * size.value);
  }
  return placeholderFor(context, { kind, page, size });
}

/** A number of rows, as a plan has it. */
export function countOf(bound: Bound): Count {
  if (bound.kind === 'parameter') return { kind: 'parameter', path: bound.slot.path };
  invariant(bound.kind === 'literal', 'a number of rows is a literal or a parameter');
  return { kind: 'literal', value: Number(bound.text) };
}
