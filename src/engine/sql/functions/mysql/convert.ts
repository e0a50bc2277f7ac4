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
        return quoted(call.value(0));
      case 'dateTime':
      case 'date':
      case 'time':
        return `CONCAT('"', ${call.text(0)}, '"')`;
      default:
        return call.text(0);
    }
  },
};

/** Characters that JSON_QUOTE writes in capital letters, which others do not. */
const capitals = ['0B', '0E', '0F', '1A', '1B', '1C', '1D', '1E', '1F'];
/** Backslashes of the text, doubled: meanwhile a character that JSON_QUOTE leaves nowhere. */
const [doubled, standIn] = [String.raw`'\\\\'`, 'CHAR(1 USING utf8mb4)'];

function quoted(sql: string): string {
  const escapes = capitals.map(
    (code) => String.raw`, '\\u00${code}', '\\u00${code.toLowerCase()}')`,
  );
  const start = 'REPLACE('.repeat(capitals.length + 2);
  return `${start}JSON_QUOTE(${sql}), ${doubled}, ${standIn})${escapes.join('')}, ${standIn}, ${doubled})`;
}

function number(call: CallSql): string {
  const type = call.type(0);
  if (type !== 'string' && type !== 'any') return `CAST(${call.value(0)} AS DECIMAL(65,30))`;
  const trimmed = `REGEXP_REPLACE(${call.value(0)}, '${spacePattern}', '')`;
  // What does not match is null to MySQL, and '' to MariaDB.
  const digits = `NULLIF(REGEXP_SUBSTR(${trimmed}, '${numberPattern}'), '')`;
  return `CAST(${digits} AS DECIMAL(65,30))`;
}
