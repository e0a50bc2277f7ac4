/** Literals of the schema's own expressions in statements whose placeholders are the rows' values. */
import type { Argument } from '../../compiled-query.js';
import { dialectOf } from '../../dialects/dialects.js';
import { EngineError } from '../../errors.js';
import type { DialectName } from '../../schema/model.js';

/** What stands for an argument. Throws `unsupported` for what only a request can tell. */
export function literalSql(dialect: DialectName): (argument: Argument) => string {
  const { text } = dialectOf(dialect).ddl;
  return (argument) => {
    if (argument.kind === 'literal') return text(argument.text);
    throw new EngineError('unsupported', 'It asks for what is not known when it is written.');
  };
}
