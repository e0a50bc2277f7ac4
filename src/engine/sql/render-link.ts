/** Renders keys that are compared with those of related rows, or become their foreign keys. */
import { typeOf } from '../query/bind-operators.js';
import type { Bound } from '../query/logical.js';
import { exact } from './outputs.js';
import { renderAnswered, type RenderContext } from './render-expression.js';

/** The key without the trailing blanks of a `char(n)`, and with all digits of a number. */
export function renderLink(context: RenderContext, key: Bound): string {
  const sql = renderAnswered(context, exact(key));
  return typeOf(key) === 'string' ? context.dialect.plain(sql, 'string') : sql;
}
