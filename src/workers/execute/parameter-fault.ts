/** Names the parameter of the data whose value the database could not read, or is too large for it. */
import { EngineError, mayBeLiteral, type StatementPlan } from '../../engine/index.js';
import { SourceError } from '../database/source-error.js';

/** The error with the name and the place of the parameter, where the statement is known to be this one. */
export function namedFault(error: unknown, statement: StatementPlan): unknown {
  if (!(error instanceof SourceError) || error.parameter === undefined) return error;
  const argument = statement.arguments[error.parameter - 1];
  if (statement.includes.length > 0 || argument?.kind !== 'parameter') return error;
  const name = argument.path.join('.');
  if (mayBeLiteral(name)) return error;
  const place = `data.${name}`;
  if (error.code !== 'parameter-type') {
    const detail = `The value of parameter '${name}' is outside the range that the database can store.`;
    return error.with({ detail, place, parameter: undefined, violation: undefined });
  }
  const message = `The value of parameter '${name}' does not have the type of its column.`;
  return new EngineError('parameter-type', message, { place });
}
