/** Functions that return conditions on values, lists and strings. */
import { takes } from './parameters.js';
import type { FunctionDefinition, FunctionGroupTable } from './signature.js';

export const comparisonFunctions = {
  between: {
    parameters: [takes('value', 'same'), takes('low', 'same'), takes('high', 'same')],
    returns: 'boolean',
    summary: 'Whether the value is from `low` to `high`: `value>=low && value<=high`.',
    example: ['between(3, 1, 3)', 'true'],
  },
  in: {
    parameters: [takes('value', 'same'), takes('items', 'list')],
    returns: 'boolean',
    summary: 'Whether the list contains the value; an empty list contains none.',
    example: ['in(2, [1, 2, 3])', 'true'],
  },
  includes: ofTexts(
    'part',
    'Whether the text contains the part. With a list or an array, `items.includes(value)` is `in(value, items)`, and so is `value.includes([a, b])`.',
    ['includes("50% off", "%")', 'true'],
  ),
  contains: ofTexts('part', 'The same as `includes`.', ['contains("Chai", "%")', 'false']),
  like: ofTexts(
    'pattern',
    'Whether the text matches the pattern: `%` matches any characters, `_` matches one, and a backslash escapes either.',
    ['like("Chai", "_ha%")', 'true'],
  ),
  ilike: ofTexts('pattern', 'Like `like`, but ignores case.', ['ilike("Chai", "cH%")', 'true']),
  startsWith: {
    aliases: ['startWith'],
    ...ofTexts('start', 'Whether the text starts with `start`.', [
      'startsWith("Chai", "Ch")',
      'true',
    ]),
  },
  endsWith: ofTexts('end', 'Whether the text ends with `end`.', ['endsWith("Chai", "ai")', 'true']),
  isNull: ofValue('whatever', 'Whether the value is null.', ['isNull(1)', 'false']),
  isNotNull: ofValue('whatever', 'Whether the value is not null.', ['isNotNull(1)', 'true']),
  isEmpty: ofValue('any', 'Whether the value is null or an empty string.', ['isEmpty("")', 'true']),
  isNotEmpty: ofValue('any', 'Whether the value is neither null nor an empty string.', [
    'isNotEmpty(" ")',
    'true',
  ]),
} satisfies FunctionGroupTable;

type Example = FunctionDefinition['example'];

/** A condition on two strings. */
function ofTexts(other: string, summary: string, example: Example): FunctionDefinition {
  const parameters = [takes('text', 'string'), takes(other, 'string')];
  return { parameters, returns: 'boolean', summary, example };
}

function ofValue(type: 'any' | 'whatever', summary: string, example: Example): FunctionDefinition {
  return { parameters: [takes('value', type)], returns: 'boolean', summary, example };
}
