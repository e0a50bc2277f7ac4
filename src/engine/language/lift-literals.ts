/**
 * Replaces literals of a query by parameters, so that queries that differ only by these literals can share a
 * plan: `Orders.filter(p=>p.id==17)` becomes `Orders.filter(p=>p.id==$1)`.
 */
import { EngineError } from '../errors.js';
import { type DataValue, ExactNumber } from '../values/data-value.js';
import { readToken } from './lexer.js';
import type { Token, TokenKind } from './tokens.js';

/** A literal that has become a parameter. */
export interface LiftedLiteral {
  /** The name of the parameter: `$1`, `$2`, … */
  readonly name: string;
  readonly kind: 'number' | 'text';
  readonly value: DataValue;
  /** The value as JSON. */
  readonly json: string;
}

export interface LiftedQuery {
  /** The query with parameters for its literals. */
  readonly template: string;
  /** In the order of the text. */
  readonly literals: readonly LiftedLiteral[];
}

const LENGTH_MAX = 4096;
const LITERALS_MAX = 16;
/** An exponent makes a number a double. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Replaces each number or string with which a condition of a `filter` compares something. All other literals may
 * affect the statement beyond its values. Returns undefined if there are none.
 */
export function liftLiterals(text: string): LiftedQuery | undefined {
  if (text.length > LENGTH_MAX || text.includes('$')) return undefined;
  const tokens = tokensOf(text);
  if (tokens === undefined) return undefined;
  const literals: LiftedLiteral[] = [];
  let template = '';
  let copied = 0;
  for (const [start, end] of comparedLiterals(tokens)) {
    const literal = liftedLiteral(tokens.slice(start, end), literals.length + 1);
    if (literal === undefined) continue;
    if (literals.length === LITERALS_MAX) return undefined;
    literals.push(literal);
    template += text.slice(copied, tokens[start]?.start) + literal.name;
    copied = tokens[end - 1]?.end ?? copied;
  }
  return literals.length === 0 ? undefined : { template: template + text.slice(copied), literals };
}

/** Undefined if the text is not made of tokens. */
function tokensOf(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  try {
    for (let at = 0; ; ) {
      const token = readToken(text, at);
      tokens.push(token);
      if (token.kind === 'end') return tokens;
      at = token.end;
    }
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

function liftedLiteral(tokens: readonly Token[], number: number): LiftedLiteral | undefined {
  const name = `$${number}`;
  const [first, second] = tokens;
  if (first?.kind === 'text') {
    return { name, kind: 'text', value: first.value, json: JSON.stringify(first.value) };
  }
  const digits = second ? `-${second.value}` : (first?.value ?? '');
  // JSON has another -0.
  if (!PLAIN_NUMBER.test(digits) || (Number(digits) === 0 && second)) return undefined;
  const isSafe = Number.isSafeInteger(Number(digits)) && !digits.includes('.');
  const value = isSafe ? Number(digits) : new ExactNumber(digits);
  return { name, kind: 'number', value, json: digits };
}

const COMPARISONS: ReadonlySet<TokenKind> = new Set(['==', '!=', '<', '<=', '>', '>=']);
/** What may be after the literal. */
const AFTER: ReadonlySet<TokenKind> = new Set([')', '&&', '||']);
const OPENING: ReadonlySet<TokenKind> = new Set(['(', '[', '{']);
const CLOSING: ReadonlySet<TokenKind> = new Set([')', ']', '}']);

/** The ranges of the tokens of literals, including their sign, that can become parameters. */
function* comparedLiterals(tokens: readonly Token[]): Generator<readonly [number, number]> {
  /** For each open bracket, whether it contains a condition. */
  const holds: boolean[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const kind = kindAt(tokens, at);
    if (OPENING.has(kind)) holds.push(kind === '(' && holdsCondition(tokens, at, holds.at(-1)));
    else if (CLOSING.has(kind)) holds.pop();
    else if (COMPARISONS.has(kind) && holds.at(-1)) {
      const start = at + 1;
      const isNegative = kindAt(tokens, start) === '-' && kindAt(tokens, start + 1) === 'number';
      const end = start + (isNegative ? 2 : 1);
      const literal = kindAt(tokens, end - 1);
      const isLiteral = literal === 'number' || literal === 'text';
      if (isLiteral && AFTER.has(kindAt(tokens, end))) yield [start, end];
    }
  }
}

/** `isInside`: whether the brackets around it contain a condition. */
function holdsCondition(tokens: readonly Token[], at: number, isInside = false): boolean {
  const before = kindAt(tokens, at - 1);
  if (before !== 'name') return isInside && before !== ')' && before !== ']';
  return tokens[at - 1]?.value === 'filter' && kindAt(tokens, at - 2) === '.';
}

function kindAt(tokens: readonly Token[], at: number): TokenKind {
  return tokens[at]?.kind ?? 'end';
}
