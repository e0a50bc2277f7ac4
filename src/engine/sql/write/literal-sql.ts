/**
 * Renders literals in the schema's own expressions, where all placeholders belong to the values of
 * rows.
 */
import type { Argument } from '../../compiled-query.js';
import { dialectOf } from '../../dialects/dialects.js';
import { EngineError } from '../../errors.js';
import type { DialectName } from '../../schema/model.js';
import type { Aliases } from '../aliases.js';
import type { RenderContext } from '../render-expression.js';

/** A context in which every constant is a literal. */
export function literalContext(dialect: DialectName, aliases: Aliases): RenderContext {
  const placeholderOverride = literalSql(dialect);
  return { dialect: dialectOf(dialect), aliases, arguments: [], placeholderOverride };
}

/**
 * Returns the SQL of an argument. Throws `unsupported` for one whose value is known only at a request.
 */
function literalSql(dialect: DialectName): (argument: Argument) => string {
  const { scalar, text } = dialectOf(dialect).ddl;
  return (argument) => {
    if (argument.kind === 'literal') return text(scalar(argument.text, argument.type));
    throw new EngineError('unsupported', 'It uses a value that is known only when a request runs.');
  };
}
