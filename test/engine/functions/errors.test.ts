/** Error messages for function calls that do not fit the function. */
import { expect, test } from 'vitest';
import { EngineError } from '../../../src/engine/errors.js';
import { compile } from './compile-call.js';

const cases: readonly (readonly [call: string, code: string, message: string, hint?: string])[] = [
  ['lowr(p.name)', 'unknown-function', "There is no function 'lowr'.", "Did you mean 'lower'?"],
  ['pow(p.price, 2)', 'unknown-function', "There is no function 'pow'.", "Did you mean 'power'?"],
  ['Math.round(p.price)', 'unknown-function', "There is no object 'Math'.", 'Write round(…).'],
  ['p.name.constructor()', 'unknown-function', "There is no function 'constructor'."],
  [
    'lower()',
    'wrong-arguments',
    "Function 'lower' takes 1 argument, but was given 0.",
    'For example lower("ChAI").',
  ],
  ['p.id.now()', 'wrong-arguments', "Function 'now' takes no arguments, but was given 1."],
  [
    'round(1, 2, 3)',
    'wrong-arguments',
    "Function 'round' takes 1 or 2 arguments, but was given 3.",
  ],
  ['nvl()', 'wrong-arguments', "Function 'nvl' takes 1 or more arguments, but was given 0."],
  ['lower(3)', 'type-mismatch', "'text' of 'lower' takes a string, not an integer."],
  ['len(p.price)', 'type-mismatch', "'text' of 'len' takes a string or an array, not a decimal."],
  ['abs(p.name)', 'type-mismatch', "'x' of 'abs' takes a number, not a string."],
  [
    'substring(p.name, 1.5)',
    'type-mismatch',
    "'start' of 'substring' takes an integer, not a decimal.",
  ],
  [
    'p.id.includes(ids)',
    'type-mismatch',
    "'text' of 'includes' takes a string, not an integer.",
    'To find a value in a list, write in(value, list) or list.includes(value).',
  ],
  [
    'ids.contains(p.id)',
    'type-mismatch',
    "'part' of 'contains' takes a string, not an integer.",
    'To find a value in a list, write in(value, list) or list.includes(value).',
  ],
  [
    'millisecondToDate(p.id / 1000)',
    'type-mismatch',
    "'milliseconds' of 'millisecondToDate' takes an integer, not a decimal.",
    'toInteger(…) gives a number without its fraction.',
  ],
  ['year(p.name)', 'type-mismatch', "'at' of 'year' takes a dateTime, not a string."],
  ['year("yesterday")', 'type-mismatch', "'yesterday' is not an ISO 8601 date."],
  [
    'hour(p.id)',
    'type-mismatch',
    "'at' of 'hour' takes a dateTime, a date or a time, not an integer.",
  ],
  [
    'toNumber(now())',
    'type-mismatch',
    "'value' of 'toNumber' takes a string, a number or a boolean, not a dateTime.",
  ],
  [
    'between(p.id, "a", 2)',
    'type-mismatch',
    "'between' takes values of one type, but was given an integer and a string.",
  ],
  [
    'in(p.id, [1, "x"])',
    'type-mismatch',
    "'in' takes values of one type, but was given an integer and a string.",
  ],
  [
    'nvl(p.id, true)',
    'type-mismatch',
    "'nvl' takes values of one type, but was given an integer and a boolean.",
  ],
  [
    'in(p.id, 1)',
    'type-mismatch',
    "'items' of 'in' takes a list.",
    'For example [1, 2, 3], or the name of a parameter.',
  ],
  [
    'in(p.id, p.name)',
    'type-mismatch',
    "'items' of 'in' takes a list.",
    'For example [1, 2, 3], or the name of a parameter.',
  ],
  ['lower([p.name])', 'type-mismatch', 'A list is not allowed here: a single value is expected.'],
  ['[1]', 'type-mismatch', 'A list is not allowed here: a single value is expected.'],
  [
    'in(p.id, x) && x == 1',
    'type-mismatch',
    "Parameter 'x' is used as a list and as a single value.",
  ],
  ['lower(s) == "a" && s + 1 > 2', 'type-mismatch', ''],
  [
    'in(p.id, x) && in(p.name, x)',
    'type-mismatch',
    "Parameter 'x' is used as an integer and as a string.",
  ],
];

test.each(cases)('%s is refused', (call, code, message, hint) => {
  const error = refusalOf(`Products.filter(p=>p.id==1 && (${call})==null)`);
  expect(error.code).toBe(code);
  if (message !== '') expect(error.message).toBe(message);
  if (hint !== undefined) expect(error.hint).toBe(hint);
  expect(error.position?.ln).toBe(1);
});

test('an error has the position of its argument', () => {
  expect(refusalOf('Products.filter(p=>lower(3)=="3")').position).toEqual({ ln: 1, col: 26 });
});

test('nested calls whose SQL doubles at every level are refused', () => {
  const call = `${'capitalize('.repeat(40)}max(p.name)${')'.repeat(40)}`;
  expect(refusalOf(`Products.map(p=>({r: ${call}}))`).code).toBe('too-complex');
});

function refusalOf(expression: string): EngineError {
  try {
    compile(expression);
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error(`compiled: ${expression}`);
}
