/** Functions of strings on PostgreSQL. */
import type { stringFunctions } from '../../../query/functions/string.js';
import { isArray } from '../../../schema/array-types.js';
import { applied, repeating, type Template, type Templates } from '../../functions/template.js';
import { whiteSpace } from '../../functions/white-space.js';
import { cast, inBounds } from './cast.js';

export const stringTemplates: Templates<keyof typeof stringFunctions> = {
  capitalize: repeating(
    (call) => `(upper(left(${call.value(0)}, 1)) || lower(substr(${call.value(0)}, 2)))`,
  ),
  // Surrogates and numbers outside of Unicode are not characters.
  chr: repeating(
    (call) =>
      `CASE WHEN ${call.operand(0)} BETWEEN 1 AND 55295 OR ${call.operand(0)} BETWEEN 57344 AND 1114111 THEN chr(${call.digits(0) ?? cast(call.operand(0), 'int4')}) END`,
  ),
  concat: (call) => {
    const texts = Array.from({ length: call.count }, (_, index) => call.text(index));
    return `(${texts.join(' || ')})`;
  },
  indexOf: (call) => `(strpos(${call.value(0)}, ${call.value(1)}) - 1)`,
  length: (call) => `${isArray(call.type(0)) ? 'cardinality' : 'length'}(${call.value(0)})`,
  lower: applied('lower'),
  lpad: padded('lpad'),
  ltrim: trimmed('ltrim'),
  mask: repeating((call) => `(left(${call.value(0)}, 3) || '***' || right(${call.value(0)}, 3))`),
  replace: (call) => `replace(${call.value(0)}, ${call.value(1)}, ${call.value(2)})`,
  reverse: applied('reverse'),
  rpad: padded('rpad'),
  rtrim: trimmed('rtrim'),
  strCount: repeating((call) => {
    const without = `length(${call.value(0)}) - length(replace(${call.value(0)}, ${call.value(1)}, ''))`;
    return `((${without}) / nullif(length(${call.value(1)}), 0))`;
  }),
  substring: repeating((call) => {
    const start = `substr(${call.value(0)}, ${inBounds(call, 1, 1)}`;
    return call.count === 2 ? `${start})` : `${start}, ${inBounds(call, 2, 0)})`;
  }),
  title: (call) => {
    // With the blank after the last word, even an empty string has a word.
    const words = `unnest(string_to_array(${call.operand(0)} || ' ', ' ')) WITH ORDINALITY AS words(w, n)`;
    const word = "upper(left(w, 1)) || lower(substr(w, 2)), ' ' ORDER BY n";
    return `(SELECT left(string_agg(${word}), -1) FROM ${words})`;
  },
  upper: applied('upper'),
  trim: trimmed('btrim'),
};

function trimmed(name: string): Template {
  return (call) => `${name}(${call.value(0)}, ${cast(call.constant(whiteSpace), 'text')})`;
}

function padded(name: string): Template {
  return repeating((call) => {
    const length = `length(${call.value(0)})`;
    const text = call.value(0);
    // The database fails if an int2 is greater, which bounds the result.
    const start = `${name}(${text}, ${call.digits(1) ?? cast(call.operand(1), 'int2')}`;
    const fill = call.count === 3 ? `, ${call.value(2)})` : ')';
    const isWhole = `${length} >= ${call.operand(1)}${call.count === 3 ? ` AND ${call.operand(2)} IS NOT NULL` : ''}`;
    return `CASE WHEN ${length} < ${call.operand(1)} THEN ${start}${fill} WHEN ${isWhole} THEN ${call.value(0)} END`;
  });
}
