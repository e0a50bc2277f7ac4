/** Functions that convert a value to another type. */
import { takes } from './parameters.js';
import type { FunctionDefinition, FunctionGroupTable } from './signature.js';

export const convertFunctions = {
  toString: text(
    'The value as text: a number without superfluous zeros, `true` or `false`, a date in ISO 8601.',
    ['toString(1.50)', '"1.5"'],
  ),
  toNumber: number('decimal', 'The exact number.', ['toNumber(" 1e2 ")', '100']),
  toInteger: number('integer', 'The number without its fraction.', ['toInteger("-7.9")', '-7']),
  toDecimal: number('decimal', 'The exact number.', ['toDecimal("1.5")', '1.5']),
  toJson: text('The value as JSON text.', ['toJson("a\\"b")', '"\\"a\\\\\\"b\\""']),
} satisfies FunctionGroupTable;

function text(summary: string, example: FunctionDefinition['example']): FunctionDefinition {
  return { parameters: [takes('value', 'any')], returns: 'string', summary, example };
}

function number(
  returns: 'integer' | 'decimal',
  summary: string,
  example: FunctionDefinition['example'],
): FunctionDefinition {
  const remark = 'A string that is not a number gives null; true is 1, false is 0.';
  const parameters = [takes('value', 'plain')];
  return { parameters, returns, summary: `${summary} ${remark}`, example };
}
