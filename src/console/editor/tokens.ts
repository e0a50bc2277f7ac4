/** Splits an expression into tokens, however unfinished it is. */

export interface Token {
  readonly kind: (typeof patterns)[number][0];
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** The pattern of each kind. A string or a comment may be unterminated. */
const patterns = [
  ['comment', String.raw`/\*[^]*?(?:\*/|$)`],
  [
    'text',
    String.raw`"(?:[^"\\]|\\[^])*(?:"|$)|'(?:[^'\\]|\\[^])*(?:'|$)|${'`'}(?:[^${'`'}\\]|\\[^])*(?:${'`'}|$)`,
  ],
  ['number', String.raw`\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`],
  ['name', String.raw`[A-Za-z_$][\w$]*`],
  ['arrow', '=>'],
  ['dot', String.raw`\.`],
  ['bracket', String.raw`[()[\]{}]`],
  ['operator', String.raw`[^\s\w]`],
] as const;

const anyToken = new RegExp(
  patterns.map(([kind, pattern]) => `(?<${kind}>${pattern})`).join('|'),
  'g',
);

/** The tokens of a text, in order, without white space. */
export function tokensOf(text: string): readonly Token[] {
  return [...text.matchAll(anyToken)].flatMap((match) => {
    const found = patterns.find(([kind]) => match.groups?.[kind] !== undefined);
    if (found === undefined) return [];
    const [kind] = found;
    return [{ kind, text: match[0], from: match.index, to: match.index + match[0].length }];
  });
}
