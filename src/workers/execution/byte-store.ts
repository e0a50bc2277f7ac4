/** Rows as bytes, for the fetching of what they include. */
import { collectByteKeys, dealChildren, type FetchedBytes, RowBytes } from '../../engine/index.js';
import type { ByteSession } from '../sources/source.js';
import { decodeText } from './decode-text.js';
import type { Parent, RowStore } from './fetch-inclusions.js';

export const byteStore: RowStore<RowBytes, ByteSession> = {
  none: () => new RowBytes(),
  count: (rows) => rows.length,
  keys: (inclusion, rows) => collectByteKeys(inclusion, rows, decodeText),
  fetch: (session, statements, rowsMax, last) => session.fetchBytes(statements, rowsMax, last),
};

/** The tree that was fetched, its children dealt out to their parents. */
export function fetchedBytes({ rows, children }: Parent<RowBytes>): FetchedBytes {
  const inclusions = children.map((child) =>
    dealChildren(child.inclusion, rows, fetchedBytes(child), decodeText),
  );
  return { rows, inclusions };
}
