/** Literals of the schema's own expressions, in statements whose placeholders are the values of rows. */
import type { Argument } from '../../compiled-query.js';
import { dialectOf } from '../../dialects/dialects.js';
import { EngineError } from '../../errors.js';
import type { DialectName } from '../../schema/model.js';

/** Returns the SQL of an argument. Throws `unsupported` for one whose value only a request has. */
export function literalSql(dialect: DialectName): (argument: Argument) => string {
  const { text } = dialectOf(dialect).ddl;
  return (argument) => {
    if (argument.kind === 'literal') return text(argument.text);
    throw new EngineError(
      'unsupported',
      'It reads a value that is only known when the request runs.',
    );
  };
}
