/** Conversions on PostgreSQL. */
import type { convertFunctions } from '../../../query/functions/convert.js';
import { isNumeric } from '../../../query/types.js';
import type { CallSql, Templates } from '../../functions/template.js';
import { cast, exact, whole } from './cast.js';

/** The white space that JavaScript's `trim` removes. */
const space = String.raw`[\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*`;
/**
 * A number in JavaScript's syntax, with white space around it. `substring` returns the outer group. The
 * pattern has no question mark, which could be taken for a placeholder.
 */
const numberPattern = `^${space}([-+]{0,1}([0-9]+[.]{0,1}[0-9]*|[.][0-9]+)([eE][-+]{0,1}[0-9]{1,3}){0,1})${space}$`;

export const convertTemplates: Templates<keyof typeof convertFunctions> = {
  toString: (call) => call.text(0),
  toNumber: number,
  toInteger: truncated,
  toDecimal: number,
  toJson: (call) => {
    switch (call.type(0)) {
      case 'string':
      case 'any':
      case 'xml':
        return `to_json(${call.operand(0)}::text)::text`;
      case 'dateTime':
      case 'date':
      case 'time':
      case 'uuid':
      case 'binary':
      case 'interval':
      case 'inet':
        return `('"' || ${call.text(0)} || '"')`;
      default:
        return call.text(0);
    }
  },
};

function truncated(call: CallSql): string {
  const sql = `trunc(${number(call)})`;
  return isNumeric(call.type(0)) ? whole(sql, call, 0) : `${sql}::int8`;
}

function number(call: CallSql): string {
  switch (call.type(0)) {
    case 'string':
      return `substring(${call.value(0)} from '${numberPattern}')::numeric`;
    // The argument may be the result of a function of null, which is not a string.
    case 'any':
      return `substring(${cast(call.operand(0), 'text')} from '${numberPattern}')::numeric`;
    case 'boolean':
      return `${call.operand(0)}::int4::numeric`;
    default:
      return exact(call, 0);
  }
}
