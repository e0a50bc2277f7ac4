/** Functions that Rowgate evaluates itself: the schema file may use them, but queries may not. */
import { takes } from './parameters.js';
import type { FunctionDefinition, FunctionGroupTable } from './signature.js';

export const ownFunctions = {
  decrypt: {
    parameters: [takes('text', 'string'), takes('key', 'string')],
    returns: 'string',
    summary: 'The text that `encrypt` encrypted. Any other text is an error.',
    example: ['decrypt(encrypt("a", "k"), "k")', '"a"'],
  },
  encrypt: {
    parameters: [takes('text', 'string'), takes('key', 'string')],
    returns: 'string',
    summary: 'The text encrypted with AES-256-GCM, as `v1:` and base64; different each time.',
    example: ['length(encrypt("a", "k"))', '43'],
  },
  test: {
    parameters: [takes('text', 'string'), takes('pattern', 'string')],
    returns: 'boolean',
    summary: 'Whether a part of the text matches the JavaScript regular expression (flag `u`).',
    example: ['test("Chai", "^C.a")', 'true'],
  },
} satisfies FunctionGroupTable;

const byName: ReadonlyMap<string, FunctionDefinition> = new Map(Object.entries(ownFunctions));

/** The function of that name; undefined if queries may use it, too. */
export function ownFunctionNamed(name: string): FunctionDefinition | undefined {
  return byName.get(name);
}
