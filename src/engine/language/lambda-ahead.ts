/**
 * Recognizes the start of a lambda from at most a parenthesis, a name, a parenthesis and an arrow.
 * So nothing is parsed twice, however deeply parentheses nest.
 */
import { isNameStart } from './characters.js';
import { endOfName } from './lexer.js';
import { skipBlanks } from './skip-blanks.js';
import type { Token } from './tokens.js';

const CLOSING_PARENTHESIS = 41;

/** Whether `p=>`, `(p)=>` or `()=>` begins at `token`. */
export function lambdaStartsAt(text: string, token: Token): boolean {
  if (token.kind === 'name') return arrowFollows(text, token.end);
  return token.kind === '(' && parametersAndArrowFollow(text, token.end);
}

function parametersAndArrowFollow(text: string, offset: number): boolean {
  let at = skipBlanks(text, offset);
  if (isNameStart(text.charCodeAt(at))) at = skipBlanks(text, endOfName(text, at));
  return text.charCodeAt(at) === CLOSING_PARENTHESIS && arrowFollows(text, at + 1);
}

function arrowFollows(text: string, offset: number): boolean {
  return text.startsWith('=>', skipBlanks(text, offset));
}
