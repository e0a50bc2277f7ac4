/**
 * Parses templates with `${}`: `` `${first} ${last}` ``. They are allowed only as a whole
 * expression of the schema file; queries concatenate texts with `+`.
 */
import type { Expression } from './ast.js';
import { readToken } from './lexer.js';
import { parseExpression } from './parse-expression.js';
import { readText } from './read-text.js';
import { syntaxError } from './source.js';

export const schemaExpressionLimits = { expressionLengthMax: 4096, nestingMax: 64 };

export function isTemplate(text: string): boolean {
  return text.length > 1 && text.startsWith('`') && text.endsWith('`');
}

/**
 * Parses an expression that may be a template, which becomes a concatenation of its parts. Throws
 * like {@link parseExpression}, with positions within a part.
 */
export function parseWithTemplate(text: string): Expression {
  if (!isTemplate(text) || !text.includes('${'))
    return parseExpression(text, schemaExpressionLimits);
  const span = { start: 0, end: text.length };
  const [first = { kind: 'text', value: '', span } as const, ...more] = partsOf(text);
  return more.reduce<Expression>(
    (left, right) => ({ kind: 'binary', operator: '+', left, right, operatorSpan: span, span }),
    first,
  );
}

/** Texts and expressions in turn, beginning with a text, so that everything is concatenated. */
function partsOf(text: string): Expression[] {
  const parts: Expression[] = [];
  let start = 1;
  for (let at = start; at < text.length - 1; ) {
    if (text[at] === '\\') at += 2;
    else if (text.startsWith('${', at)) {
      parts.push(literal(text.slice(start, at)));
      const end = endOfSubstitution(text, at + 2);
      parts.push(parseExpression(text.slice(at + 2, end), schemaExpressionLimits));
      start = at = end + 1;
    } else at += 1;
  }
  return [...parts, literal(text.slice(start, -1))];
}

/** Escapes have the same meaning as in any template. */
function literal(raw: string): Expression {
  const { value, start, end } = readText(`\`${raw}\``, 0);
  return { kind: 'text', value, span: { start, end } };
}

/** The offset of the brace that ends the substitution. */
function endOfSubstitution(text: string, start: number): number {
  let depth = 0;
  for (let at = start; ; ) {
    const token = readToken(text, at);
    if (token.kind === '}' && depth === 0) return token.start;
    if (token.kind === '{') depth += 1;
    else if (token.kind === '}') depth -= 1;
    else if (token.kind === 'end') {
      const span = { start: start - 2, end: text.length };
      throw syntaxError("Expected the '}' of this '${' but found the end of the text.", {
        text,
        span,
      });
    }
    at = token.end;
  }
}
