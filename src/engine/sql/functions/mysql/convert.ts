/** Conversions in the SQL of MySQL and MariaDB. */
import type { convertFunctions } from '../../../query/functions/convert.js';
import type { CallSql, Templates } from '../template.js';

/** Without a question mark, which could be taken for a placeholder. */
const spacePattern = '^[[:space:]]+|[[:space:]]+$';
const numberPattern = '^[-+]{0,1}([0-9]+[.]{0,1}[0-9]*|[.][0-9]+)([eE][-+]{0,1}[0-9]{1,3}){0,1}$';

export const convertTemplates: Templates<keyof typeof convertFunctions> = {
  toString: (call) => call.text(0),
  toNumber: number,
  toInteger: (call) => `TRUNCATE(${number(call)}, 0)`,
  toDecimal: number,
  toJson: (call) => {
    switch (call.type(0)) {
      case 'string':
      case 'any':
        return `JSON_QUOTE(${call.value(0)})`;
      case 'dateTime':
      case 'date':
      case 'time':
        return `CONCAT('"', ${call.text(0)}, '"')`;
      default:
        return call.text(0);
    }
  },
};

function number(call: CallSql): string {
  const type = call.type(0);
  if (type !== 'string' && type !== 'any') return `CAST(${call.value(0)} AS DECIMAL(65,30))`;
  const trimmed = `REGEXP_REPLACE(${call.value(0)}, '${spacePattern}', '')`;
  // What does not match is null to MySQL, and '' to MariaDB.
  const digits = `NULLIF(REGEXP_SUBSTR(${trimmed}, '${numberPattern}'), '')`;
  return `CAST(${digits} AS DECIMAL(65,30))`;
}
