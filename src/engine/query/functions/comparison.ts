/** Functions that return conditions on values, lists and strings. */
import { takes } from './parameters.js';
import type { FunctionGroupTable } from './signature.js';

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
  includes: {
    parameters: [takes('text', 'string'), takes('part', 'string')],
    returns: 'boolean',
    summary:
      'Whether the text contains the part. With a list or an array, `items.includes(value)` is `in(value, items)`.',
    example: ['includes("50% off", "%")', 'true'],
  },
  contains: {
    parameters: [takes('text', 'string'), takes('part', 'string')],
    returns: 'boolean',
    summary: 'The same as `includes`.',
    example: ['contains("Chai", "%")', 'false'],
  },
  like: {
    parameters: [takes('text', 'string'), takes('pattern', 'string')],
    returns: 'boolean',
    summary:
      'Whether the text matches the pattern: `%` matches any characters, `_` matches one, and a backslash escapes either.',
    example: ['like("Chai", "_ha%")', 'true'],
  },
  ilike: {
    parameters: [takes('text', 'string'), takes('pattern', 'string')],
    returns: 'boolean',
    summary: 'Like `like`, but ignores case.',
    example: ['ilike("Chai", "cH%")', 'true'],
  },
  startsWith: {
    aliases: ['startWith'],
    parameters: [takes('text', 'string'), takes('start', 'string')],
    returns: 'boolean',
    summary: 'Whether the text starts with `start`.',
    example: ['startsWith("Chai", "Ch")', 'true'],
  },
  endsWith: {
    parameters: [takes('text', 'string'), takes('end', 'string')],
    returns: 'boolean',
    summary: 'Whether the text ends with `end`.',
    example: ['endsWith("Chai", "ai")', 'true'],
  },
  isNull: {
    parameters: [takes('value', 'whatever')],
    returns: 'boolean',
    summary: 'Whether the value is null.',
    example: ['isNull(1)', 'false'],
  },
  isNotNull: {
    parameters: [takes('value', 'whatever')],
    returns: 'boolean',
    summary: 'Whether the value is not null.',
    example: ['isNotNull(1)', 'true'],
  },
  isEmpty: {
    parameters: [takes('value', 'any')],
    returns: 'boolean',
    summary: 'Whether the value is null or an empty string.',
    example: ['isEmpty("")', 'true'],
  },
  isNotEmpty: {
    parameters: [takes('value', 'any')],
    returns: 'boolean',
    summary: 'Whether the value is neither null nor an empty string.',
    example: ['isNotEmpty(" ")', 'true'],
  },
} satisfies FunctionGroupTable;
