/** Functions of strings. A character is a Unicode code point. */
import { may, more, takes } from './parameters.js';
import type { FunctionDefinition, FunctionGroupTable } from './signature.js';

/** Limits padding, because a short request could otherwise produce gigabytes of text. */
const PADDED_LENGTH_MAX = 32_767;

export const stringFunctions = {
  capitalize: ofText('The first character in upper case, the others in lower case.', [
    'capitalize("ikura TEA")',
    '"Ikura tea"',
  ]),
  chr: {
    parameters: [takes('code', 'integer')],
    returns: 'string',
    summary: 'The character with that Unicode code point.',
    example: ['chr(233)', '"é"'],
  },
  concat: {
    aliases: ['concatenate'],
    parameters: [takes('value', 'any'), more('others', 'any')],
    returns: 'string',
    summary: 'The arguments joined into one text, each as `toString` writes it.',
    example: ['concat("a", 1, true)', '"a1true"'],
  },
  indexOf: ofPart('The position of the part, counted from 0; −1 if the text does not contain it.', [
    'indexOf("Chai", "ai")',
    '2',
  ]),
  length: {
    aliases: ['len'],
    parameters: [takes('text', 'sized')],
    returns: 'integer',
    summary: 'The number of characters of a string, or of items of an array.',
    example: ['length("Ćevapi 😀")', '8'],
  },
  lower: ofText('The text in lower case.', ['lower("ChAI")', '"chai"']),
  lpad: padding('at its start', ['lpad("7", 3, "0")', '"007"']),
  ltrim: ofText('The text without white space at its start.', ['ltrim("  a ")', '"a "']),
  mask: ofText('Three letters of each end, and `***` between them.', [
    'mask("10 boxes x 20 bags")',
    '"10 ***ags"',
  ]),
  replace: {
    parameters: [takes('text', 'string'), takes('part', 'string'), takes('by', 'string')],
    returns: 'string',
    summary: 'The text with every occurrence of the part replaced.',
    example: ['replace("a-b-c", "-", "+")', '"a+b+c"'],
  },
  reverse: ofText('The characters in reverse order.', ['reverse("Chai")', '"iahC"']),
  rpad: padding('at its end', ['rpad("7", 3, "-")', '"7--"']),
  rtrim: ofText('The text without white space at its end.', ['rtrim(" a  ")', '" a"']),
  strCount: ofPart('How often the text contains the part; null for an empty part.', [
    'strCount("banana", "an")',
    '2',
  ]),
  substring: {
    aliases: ['substr'],
    parameters: [takes('text', 'string'), takes('start', 'integer'), may('length', 'integer')],
    returns: 'string',
    summary: 'That many characters from a position, counted from 1; without a length, all of them.',
    example: ['substring("Chai", 2, 2)', '"ha"'],
  },
  title: ofText('Each word, separated by blanks, with its first character in upper case.', [
    'title("uncle bob\'s PEARS")',
    '"Uncle Bob\'s Pears"',
  ]),
  upper: ofText(
    'The text in upper case. A character without a single capital letter stays, such as `ß`.',
    ['upper("Chai")', '"CHAI"'],
    ['toUpper'],
  ),
  trim: ofText('The text without white space at its ends.', ['trim("  a ")', '"a"']),
} satisfies FunctionGroupTable;

function ofText(
  summary: string,
  example: FunctionDefinition['example'],
  aliases: readonly string[] = [],
): FunctionDefinition {
  return { aliases, parameters: [takes('text', 'string')], returns: 'string', summary, example };
}

function ofPart(summary: string, example: FunctionDefinition['example']): FunctionDefinition {
  const parameters = [takes('text', 'string'), takes('part', 'string')];
  return { parameters, returns: 'integer', summary, example };
}

function padding(where: string, example: FunctionDefinition['example']): FunctionDefinition {
  const length = { ...takes('length', 'integer'), max: PADDED_LENGTH_MAX };
  const parameters = [takes('text', 'string'), length, may('fill', 'string', '" "')];
  const summary = `The text padded ${where} to a length (at most 32,767); a longer text is not changed.`;
  return { parameters, returns: 'string', summary, example };
}
