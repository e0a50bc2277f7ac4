/** Rows as texts, for the fetching of what they include. */
import { collectKeys, type FetchedRows, type Fields, groupChildren } from '../../engine/index.js';
import type { Session } from '../sources/source.js';
import type { Parent, RowStore } from './fetch-inclusions.js';

export const fieldStore: RowStore<readonly Fields[], Session> = {
  none: () => [],
  count: (rows) => rows.length,
  keys: (inclusion, rows) => collectKeys(inclusion, rows),
  fetch: (session, statements, rowsMax, last) => session.fetch(statements, rowsMax, last),
};

/** The tree that was fetched, its children grouped by their parents' keys. */
export function fetchedFields({ rows, children }: Parent<readonly Fields[]>): FetchedRows {
  const inclusions = children.map((child) => groupChildren(child.inclusion, fetchedFields(child)));
  return { rows, inclusions };
}
