/**
 * Replaces literals of a query by parameters, so that queries that differ only by these literals can share a
 * plan: `Orders.filter(p=>p.id==17)` becomes `Orders.filter(p=>p.id==$1)`.
 */
import { EngineError } from '../errors.js';
import { type DataValue, ExactNumber } from '../values/data-value.js';
import { readToken } from '../language/lexer.js';
import type { Token, TokenKind } from '../language/tokens.js';

/** A literal, or a list of them, that has become a parameter. */
export interface LiftedLiteral {
  /** The name of the parameter: `$1`, `$2`, … */
  readonly name: string;
  /** The kind of the literal, or of all items. */
  readonly kind: 'number' | 'text';
  readonly isList: boolean;
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
/** Databases have bounds for the digits of parameters. */
const NUMBER_LENGTH_MAX = 30;
/** An exponent makes a number a double. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Replaces each number or string with which a condition of a `filter` compares something, and each list of them in
 * which it looks for something (`in`). All other literals may affect the statement beyond its values. Returns
 * undefined if there are none.
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
  const isList = tokens[0]?.kind === '[';
  const items = (isList ? itemsOf(tokens.slice(1, -1)) : [tokens]).map(literalOf);
  if (!items.every((item) => item !== undefined)) return undefined;
  const kind = items[0]?.kind;
  if (kind === undefined || items.some((item) => item.kind !== kind)) return undefined;
  const [values, texts] = [items.map(({ value }) => value), items.map(({ json }) => json)];
  const json = isList ? `[${texts.join(',')}]` : texts.join();
  return { name: `$${number}`, kind, isList, value: (isList ? values : values[0]) ?? null, json };
}

function itemsOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const items: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === ',') items.push([]);
    else items.at(-1)?.push(token);
  }
  return items;
}

/** A number with its sign, or a string. */
function literalOf([first, second]: readonly Token[]) {
  if (first?.kind === 'text') {
    return { kind: 'text', value: first.value, json: JSON.stringify(first.value) } as const;
  }
  const digits = second ? `-${second.value}` : (first?.value ?? '');
  if (digits.length > NUMBER_LENGTH_MAX) return undefined;
  // JSON has another -0.
  if (!PLAIN_NUMBER.test(digits) || (Number(digits) === 0 && second)) return undefined;
  const isSafe = Number.isSafeInteger(Number(digits)) && !digits.includes('.');
  const value: DataValue = isSafe ? Number(digits) : new ExactNumber(digits);
  return { kind: 'number', value, json: digits } as const;
}

const COMPARISONS: ReadonlySet<TokenKind> = new Set(['==', '!=', '<', '<=', '>', '>=']);
/** What may be after the literal. */
const AFTER: ReadonlySet<TokenKind> = new Set([')', '&&', '||']);
const OPENING: ReadonlySet<TokenKind> = new Set(['(', '[', '{']);
const CLOSING: ReadonlySet<TokenKind> = new Set([')', ']', '}']);

/** The content of brackets: a condition, the arguments of an `in` in a condition, or anything else. */
type Content = 'condition' | 'in' | 'other';

/** The ranges of the tokens of literals, including their sign, and of lists that can become parameters. */
function* comparedLiterals(tokens: readonly Token[]): Generator<readonly [number, number]> {
  /** Of each open bracket. */
  const contents: Content[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const kind = kindAt(tokens, at);
    const content = contents.at(-1) ?? 'other';
    if (OPENING.has(kind)) {
      const end = kind === '[' && content === 'in' ? endOfList(tokens, at) : at;
      if (end > at) yield [at, end];
      contents.push(kind === '(' ? contentOf(tokens, at, content) : 'other');
    } else if (CLOSING.has(kind)) contents.pop();
    else if (COMPARISONS.has(kind) && content === 'condition') {
      const end = endOfLiteral(tokens, at + 1);
      if (end > at + 1 && AFTER.has(kindAt(tokens, end))) yield [at + 1, end];
    }
  }
}

/** The content of the bracket at `at`, inside of brackets with `outer`. */
function contentOf(tokens: readonly Token[], at: number, outer: Content): Content {
  const before = kindAt(tokens, at - 1);
  if (before !== 'name') return before === ')' || before === ']' ? 'other' : outer;
  const isMethod = kindAt(tokens, at - 2) === '.';
  const name = tokens[at - 1]?.value;
  if (isMethod) return name === 'filter' ? 'condition' : 'other';
  return name === 'in' && outer === 'condition' ? 'in' : 'other';
}

/** The end of the literal at `at`; `at` if there is none. */
function endOfLiteral(tokens: readonly Token[], at: number): number {
  const kind = kindAt(tokens, at);
  if (kind === '-') return kindAt(tokens, at + 1) === 'number' ? at + 2 : at;
  return kind === 'number' || kind === 'text' ? at + 1 : at;
}

/** The end of the list at `at`, if it is the last argument and all its items are literals; otherwise `at`. */
function endOfList(tokens: readonly Token[], at: number): number {
  if (kindAt(tokens, at - 1) !== ',') return at;
  for (let item = at + 1; ; item += 1) {
    const end = endOfLiteral(tokens, item);
    if (end === item) return at;
    item = end;
    if (kindAt(tokens, item) === ']') return kindAt(tokens, item + 1) === ')' ? item + 1 : at;
    if (kindAt(tokens, item) !== ',') return at;
  }
}

function kindAt(tokens: readonly Token[], at: number): TokenKind {
  return tokens[at]?.kind ?? 'end';
}

/** Whether a parameter may be a literal of the query. Errors do not name it then. */
export function mayBeLiteral(name: string): boolean {
  return /^\$\d+$/.test(name);
}
