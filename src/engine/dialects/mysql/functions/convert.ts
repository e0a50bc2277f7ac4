/** Conversions on MySQL and MariaDB. */
import type { convertFunctions } from '../../../query/functions/convert.js';
import type { CallSql, Templates } from '../../functions/template.js';
import { collatedAs, uncollated, whole } from './cast.js';

/** The white space that JavaScript's `trim` removes. */
const space = String.raw`[\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}]+`;
/** Patterns without a question mark, which could be taken for a placeholder. */
const spacePattern = `^${space}|${space}$`;
const numberPattern = '^[-+]{0,1}([0-9]+[.]{0,1}[0-9]*|[.][0-9]+)([eE][-+]{0,1}[0-9]{1,3}){0,1}$';

export const convertTemplates: Templates<keyof typeof convertFunctions> = {
  toString: (call) => call.text(0),
  toNumber: number,
  toInteger: (call) => whole(`TRUNCATE(${number(call)}, 0)`),
  toDecimal: number,
  toJson: (call) => {
    switch (call.type(0)) {
      case 'string':
      case 'any':
      case 'interval':
      case 'xml':
        return call.naming(quoted);
      case 'dateTime':
      case 'date':
      case 'time':
      case 'uuid':
      case 'binary':
      case 'inet':
        return `CONCAT('"', ${call.text(0)}, '"')`;
      default:
        return call.text(0);
    }
  },
};

/** Control characters that JSON_QUOTE escapes with capital hexadecimal digits, unlike PostgreSQL. */
const capitals = ['0B', '0E', '0F', '1A', '1B', '1C', '1D', '1E', '1F'];
const capitalPattern = String.raw`[\\x0b\\x0e\\x0f\\x1a-\\x1f]`;
/**
 * The backslashes of the text are doubled. Meanwhile, a character that JSON_QUOTE never leaves stands
 * in for them.
 */
const [doubled, standIn] = [String.raw`'\\\\'`, 'CHAR(1 USING utf8mb4)'];

/**
 * The string as JSON. A text without those characters skips the second pass, which is slow on long
 * texts in MariaDB.
 */
function quoted(call: CallSql): string {
  // Placeholders are numbered in the order of the text.
  const collation = call.column(0);
  const isPlain = `${call.operand(0)} NOT REGEXP '${capitalPattern}'`;
  const json = () => `JSON_QUOTE(${call.value(0)})`;
  const text = `CASE WHEN ${isPlain} THEN ${json()} ELSE ${withSmallLetters(json())} END`;
  // JSON_QUOTE returns utf8mb4, which cannot be mixed with a column of another character set.
  return collation === undefined ? text : collatedAs(collation, uncollated(text));
}

function withSmallLetters(sql: string): string {
  const escapes = capitals.map(
    (code) => String.raw`, '\\u00${code}', '\\u00${code.toLowerCase()}')`,
  );
  const start = 'REPLACE('.repeat(capitals.length + 2);
  return `${start}${sql}, ${doubled}, ${standIn})${escapes.join('')}, ${standIn}, ${doubled})`;
}

function number(call: CallSql): string {
  const type = call.type(0);
  return type === 'string' || type === 'any' ? call.naming(readNumber) : decimal(call.value(0));
}

function readNumber(call: CallSql): string {
  const text = () => `REGEXP_REPLACE(${call.value(0)}, '${spacePattern}', '')`;
  const isNumber = `${text()} REGEXP '${numberPattern}'`;
  // Without CONCAT, MySQL would cast the text to an integer first.
  return `CASE WHEN ${isNumber} THEN ${decimal(`CONCAT(${text()})`)} END`;
}

function decimal(sql: string): string {
  return `CAST(${sql} AS DECIMAL(65,30))`;
}
