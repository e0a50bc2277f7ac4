/** One statement reads one database: where a path or a sub-select leads into another one. */
import { EngineError, type Span } from '../errors.js';
import type { RowSource } from './logical.js';

/** Throws `unsupported` where a relation of `row` leads to a row that lies in another source. */
export function requireOneSource(
  row: RowSource,
  target: RowSource,
  { name, span }: { readonly name: string; readonly span: Span },
): void {
  const [from, to] = [row, target].map(({ location }) => location.source.name);
  if (from === to) return;
  const message = `'${name}' leads from source '${from}' to source '${to}', and one statement reads one source.`;
  const hint = 'Include the relation: its rows are read where they are.';
  throw new EngineError('unsupported', message, { span, hint });
}
