/**
 * Searches strings in strings on MySQL and MariaDB, with the results of LIKE, which uses the collation
 * of the column. REPLACE compares bytes, and LOCATE does not find letters that are equal in the
 * collation but have other bytes.
 */
import { type CallSql, repeating, type Template } from '../../functions/template.js';
import type { JsonTable } from '../json-table.js';

/** A character that practically never occurs in a string. */
const MARK = 'CHAR(1 USING utf8mb4)';

export const contains: Template = (call) => `${call.operand(0)} LIKE ${pattern(call, 1, '%', '%')}`;
export const startsWith: Template = (call) =>
  `${call.operand(0)} LIKE ${pattern(call, 1, '', '%')}`;
export const endsWith: Template = (call) => `${call.operand(0)} LIKE ${pattern(call, 1, '%', '')}`;

export function searchTemplates(
  json: JsonTable,
): Record<'indexOf' | 'replace' | 'strCount', Template> {
  const indexOf = repeating((call) => {
    const exact = () => `LOCATE(${call.value(1)}, ${call.value(0)}) - 1`;
    return `CASE WHEN ${isExact(call)} THEN ${exact()} ELSE ${firstPlace(json, call)} END`;
  });

  const strCount = repeating((call) => {
    const others = () => `CHAR_LENGTH(REPLACE(${call.value(0)}, ${call.value(1)}, ''))`;
    const exact = () =>
      `(CHAR_LENGTH(${call.value(0)}) - ${others()}) DIV CHAR_LENGTH(${call.value(1)})`;
    return `CASE WHEN ${isPlain(call)} THEN ${exact()} ELSE ${countOfPlaces(json, call)} END`;
  });

  const replace = repeating((call) => {
    const exact = () => `REPLACE(${call.value(0)}, ${call.value(1)}, ${call.value(2)})`;
    const isNull = [1, 2]
      .filter((index) => call.letters(index) === undefined)
      .map((index) => `${call.operand(index)} IS NULL`);
    const start = isNull.length === 0 ? 'CASE' : `CASE WHEN ${isNull.join(' OR ')} THEN NULL`;
    return `${start} WHEN ${isPlain(call)} THEN ${exact()} ELSE ${replaced(json, call)} END`;
  });

  return { indexOf, strCount, replace };
}

/** A pattern for LIKE that matches an argument's text, with `before` and `after` around it. */
function pattern(call: CallSql, index: number, before: string, after: string): string {
  const letters = call.letters(index);
  if (letters !== undefined) {
    const constant = before + letters.replaceAll(/[!%_]/g, '!$&') + after;
    return `${call.constant(constant)} ESCAPE '!'`;
  }
  const parts = [before, after].map((part) => (part === '' ? [] : [`'${part}'`]));
  const [ahead = [], behind = []] = parts;
  return `CONCAT(${[...ahead, escaped(call, index), ...behind].join(', ')}) ESCAPE '!'`;
}

function escaped(call: CallSql, index: number): string {
  const all = ['!', '%', '_'].map((letter) => `, '${letter}', '!${letter}')`).join('');
  return `REPLACE(REPLACE(REPLACE(${call.value(index)}${all}`;
}

/** The condition that LIKE finds the part only where its characters match exactly. */
function isExact(call: CallSql): string {
  const others = `REPLACE(${call.value(0)}, ${call.value(1)}, ${broken(call)})`;
  return `${others} NOT LIKE ${pattern(call, 1, '%', '%')}`;
}

/** The part without its last character. With what is before it, it may still match, as in `Aaa` for the part `aa`. */
function broken(call: CallSql): string {
  const letters = call.letters(1);
  if (letters === undefined) {
    return `CONCAT(LEFT(${call.value(1)}, CHAR_LENGTH(${call.value(1)}) - 1), ${MARK})`;
  }
  const others = Array.from(letters).slice(0, -1).join('');
  return others === '' ? MARK : `CONCAT(${call.constant(others)}, ${MARK})`;
}

/** The condition that the part matches exactly wherever it occurs, or is empty. */
function isPlain(call: CallSql): string {
  const letters = call.letters(1);
  if (letters === '') return 'TRUE';
  return letters === undefined
    ? `${isExact(call)} OR CHAR_LENGTH(${call.value(1)}) = 0`
    : isExact(call);
}

/** A table with one row for each character and one for the end, numbered from 1. */
function places(json: JsonTable, call: CallSql): string {
  const items = `CONCAT('[0', REPEAT(',0', CHAR_LENGTH(${call.value(0)})), ']')`;
  return json(items, 'n FOR ORDINALITY', 'place');
}

/** The condition that the part occurs at a position. */
function isThere(call: CallSql): string {
  const letters = `SUBSTR(${call.value(0)}, place.n, CHAR_LENGTH(${call.value(1)}))`;
  return `${letters} LIKE ${pattern(call, 1, '', '')}`;
}

function firstPlace(json: JsonTable, call: CallSql): string {
  const first = 'SELECT MIN(place.n) - 1';
  return `(${first} FROM ${places(json, call)} WHERE ${isThere(call)})`;
}

/** A string with a digit for each position: 1 where the part occurs. Occurrences may overlap. */
function marks(json: JsonTable, call: CallSql): string {
  const each = `GROUP_CONCAT(${isThere(call)} ORDER BY place.n SEPARATOR '')`;
  return `(SELECT ${each} FROM ${places(json, call)})`;
}

/**
 * The marks without overlaps: each occurrence becomes `first`, followed by `other` for each further
 * character of it.
 */
function taken(json: JsonTable, call: CallSql, first: string, other: string): string {
  const all = marks(json, call);
  const length = () => `CHAR_LENGTH(${call.value(1)}) - 1`;
  const run = `CONCAT('1.{', ${length()}, '}')`;
  return `REGEXP_REPLACE(${all}, ${run}, CONCAT('${first}', REPEAT('${other}', ${length()})))`;
}

function countOfPlaces(json: JsonTable, call: CallSql): string {
  return `CHAR_LENGTH(${call.value(0)}) + 1 - CHAR_LENGTH(${taken(json, call, '', '0')})`;
}

function replaced(json: JsonTable, call: CallSql): string {
  const mark = 'SUBSTR(mark.m, place.n, 1)';
  const letter = `CASE ${mark} WHEN '1' THEN ${call.value(2)} WHEN '2' THEN '' ELSE SUBSTR(${call.value(0)}, place.n, 1) END`;
  const all = `SELECT GROUP_CONCAT(${letter} ORDER BY place.n SEPARATOR '')`;
  const marks = `JSON_ARRAY(${taken(json, call, '1', '2')})`;
  const marked = json(marks, "m LONGTEXT PATH '$'", 'mark');
  return `(${all} FROM ${marked}, ${places(json, call)})`;
}
