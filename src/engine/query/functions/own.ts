/** Functions that only Rowgate evaluates: they may be used in the schema file, but not in queries. */
import { takes } from './parameters.js';
import type { FunctionDefinition, FunctionGroupTable } from './signature.js';

export const ownFunctions = {
  decrypt: {
    parameters: [takes('text', 'string'), takes('key', 'string')],
    returns: 'string',
    summary: 'The text that `encrypt` was given. Anything else than its result is an error.',
    example: ['decrypt(encrypt("a", "k"), "k")', '"a"'],
  },
  encrypt: {
    parameters: [takes('text', 'string'), takes('key', 'string')],
    returns: 'string',
    summary: 'The text by AES-256-GCM under that key, as `v1:` and base64; another one each time.',
    example: ['length(encrypt("a", "k"))', '43'],
  },
  test: {
    parameters: [takes('text', 'string'), takes('pattern', 'string')],
    returns: 'boolean',
    summary: 'Whether a part of the text is as the regular expression of JavaScript (flag `u`).',
    example: ['test("Chai", "^C.a")', 'true'],
  },
} satisfies FunctionGroupTable;

const byName: ReadonlyMap<string, FunctionDefinition> = new Map(Object.entries(ownFunctions));

/** The function of that name; undefined for one that queries may use, too. */
export function ownFunctionNamed(name: string): FunctionDefinition | undefined {
  return byName.get(name);
}
