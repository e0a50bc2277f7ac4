/** Functions of strings on MySQL and MariaDB. */
import type { stringFunctions } from '../../../query/functions/string.js';
import { isArray } from '../../../schema/array-types.js';
import {
  applied,
  type CallSql,
  repeating,
  type Template,
  type Templates,
} from '../../functions/template.js';
import { whiteSpace } from '../../functions/white-space.js';
import { collatedAs, uncollated } from './cast.js';
import type { JsonTable } from '../json-table.js';
import { searchTemplates } from './search.js';

/** The pattern of white space. A column's character set may lack the characters themselves, but not their codes. */
const blanks = `[${whiteSpace.replaceAll(/[^\0-\x7f]/g, (each) => `\\x{${each.charCodeAt(0).toString(16)}}`)}]+`;

export const stringTemplates = (json: JsonTable): Templates<keyof typeof stringFunctions> => ({
  capitalize: repeating(
    (call) => `CONCAT(UPPER(LEFT(${call.value(0)}, 1)), LOWER(SUBSTR(${call.value(0)}, 2)))`,
  ),
  // Surrogates and numbers outside of Unicode are not characters.
  chr: repeating(
    (call) =>
      `CASE WHEN ${call.operand(0)} BETWEEN 1 AND 55295 OR ${call.operand(0)} BETWEEN 57344 AND 1114111 THEN ${uncollated(`CAST(CHAR(${call.value(0)} USING utf32) AS CHAR)`)} END`,
  ),
  concat: (call) => {
    const texts = Array.from({ length: call.count }, (_, index) => call.text(index));
    return `CONCAT(${texts.join(', ')})`;
  },
  length: (call) => `${isArray(call.type(0)) ? 'JSON_LENGTH' : 'CHAR_LENGTH'}(${call.value(0)})`,
  lower: applied('LOWER'),
  lpad: padded('LPAD'),
  ltrim: trimmed(`^${blanks}`),
  mask: repeating((call) => `CONCAT(LEFT(${call.value(0)}, 3), '***', RIGHT(${call.value(0)}, 3))`),
  reverse: applied('REVERSE'),
  rpad: padded('RPAD'),
  rtrim: trimmed(`${blanks}$`),
  substring: (call) => {
    const start = `SUBSTR(${call.value(0)}, ${position(call, 1)}`;
    return call.count === 2 ? `${start})` : `${start}, ${inText(call, 2, 0) ?? call.value(2)})`;
  },
  title: (call) => title(json, call),
  upper: applied('UPPER'),
  trim: trimmed(`^${blanks}|${blanks}$`),
  ...searchTemplates(json),
});

/** Trims white space; TRIM itself removes only one character. */
function trimmed(pattern: string): Template {
  return (call) => `REGEXP_REPLACE(${call.value(0)}, ${call.constant(pattern)}, '')`;
}

/** A position of at least 1; null stays null. */
function position(call: CallSql, index: number): string {
  return inText(call, index, 1) ?? `GREATEST(${call.value(index)}, 1)`;
}

/**
 * A literal as a number between the bounds, the greater of which is the length of the longest text. SUBSTR takes
 * one of more than 64 bits for another number.
 */
function inText(call: CallSql, index: number, least: number): string | undefined {
  const number = call.number(index);
  return number === undefined ? undefined : String(Math.min(Math.max(number, least), 2 ** 32));
}

function padded(name: string): Template {
  return repeating((call) => {
    const isShort = `CHAR_LENGTH(${call.value(0)}) < ${call.operand(1)}`;
    const test = call.count === 3 ? `${isShort} AND CHAR_LENGTH(${call.value(2)}) > 0` : isShort;
    const start = `${name}(${call.value(0)}, ${shortCount(call, 1)}`;
    const fill = call.count === 3 ? call.value(2) : "' '";
    const padded = `CASE WHEN ${test} THEN ${start}, ${fill})`;
    const isThere = `${call.operand(1)} IS NOT NULL`;
    const all = call.count === 3 ? `${isThere} AND ${call.operand(2)} IS NOT NULL` : isThere;
    return `${padded} WHEN ${all} THEN ${call.value(0)} END`;
  });
}

/** A count that fails if it is greater than an int2, which bounds the result. */
function shortCount(call: CallSql, index: number): string {
  const margin = 2n ** 63n - 1n - 32_767n;
  return call.digits(index) ?? `(${call.operand(index)} + ${margin} - ${margin})`;
}

/**
 * Capitalizes words, which become a JSON list because neither database can split a string otherwise.
 */
function title(json: JsonTable, call: CallSql): string {
  // Placeholders are numbered in the order of the text.
  const collation = call.column(0);
  const words = `CONCAT('[', REPLACE(JSON_QUOTE(${call.value(0)}), ' ', '","'), ']')`;
  const columns = "n FOR ORDINALITY, w LONGTEXT PATH '$'";
  const word = 'CONCAT(UPPER(LEFT(w, 1)), LOWER(SUBSTR(w, 2)))';
  const all = uncollated(`GROUP_CONCAT(${word} ORDER BY n SEPARATOR ' ')`);
  const table = json(words, columns, 'words');
  return `(SELECT ${collatedAs(collation, all)} FROM ${table})`;
}
