/**
 * Parses expressions by recursive descent on a cursor. Brackets, lambdas and branches go through
 * {@link readExpression}, which counts the nesting.
 */
import { EngineError, type Span } from '../errors.js';
import type { CallExpression, Expression, LambdaExpression, ObjectEntry } from './ast.js';
import { syntaxError } from './source.js';
import { endOfName, PARAMETER_HINT, skipBlanks } from './lexer.js';
import { readOperators } from './read-operators.js';
import type { TokenCursor } from './token-cursor.js';
import type { Token, TokenKind } from './tokens.js';

/** Reads one expression, including lambdas and conditionals. */
export function readExpression(cursor: TokenCursor): Expression {
  cursor.enter();
  const expression = lambdaStartsAt(cursor.text, cursor.token)
    ? readLambda(cursor)
    : readConditional(cursor);
  cursor.leave();
  return expression;
}

/** Reads the `(…)` of a call: the arguments, and the offset after the opening parenthesis. */
export function readArguments(cursor: TokenCursor): Pick<CallExpression, 'open' | 'arguments'> {
  const open = cursor.expect('(');
  return { open: open.end, arguments: readItems(cursor, ')', readExpression) };
}

function readLambda(cursor: TokenCursor): LambdaExpression {
  const { start } = cursor.token;
  const parameter = readLambdaParameter(cursor);
  cursor.expect('=>');
  const body = readExpression(cursor);
  return { kind: 'lambda', parameter, body, span: cursor.spanFrom(start) };
}

function readLambdaParameter(cursor: TokenCursor): string | undefined {
  if (!cursor.take('(')) return cursor.advance().value;
  if (cursor.take(')')) return undefined;
  const name = cursor.expect('name', 'a name');
  cursor.expect(')');
  return name.value;
}

const NO_OPTIONAL_CHAIN = "Write '.' instead of '?.': the properties of a missing row are null.";

function readConditional(cursor: TokenCursor): Expression {
  const { start } = cursor.token;
  const test = readOperators(cursor, readOperand);
  if (!cursor.take('?')) return test;
  if (cursor.token.kind === '.') throw cursor.unexpected('an expression', NO_OPTIONAL_CHAIN);
  const consequent = readExpression(cursor);
  cursor.expect(':');
  const alternate = readExpression(cursor);
  return { kind: 'conditional', test, consequent, alternate, span: cursor.spanFrom(start) };
}

function readOperand(cursor: TokenCursor): Expression {
  const { start } = cursor.token;
  let operand = readPrimary(cursor);
  for (;;) {
    if (cursor.take('.')) operand = readMember(cursor, operand, start);
    // Only a member may be a value of JSON.
    else if (operand.kind === 'member' && cursor.take('['))
      operand = readElement(cursor, operand, start);
    else break;
  }
  rejectCallOrIndex(cursor);
  return operand;
}

function readElement(cursor: TokenCursor, object: Expression, start: number): Expression {
  const { kind, value, start: from, end } = cursor.token;
  const isIndex = kind === 'number' && /^\d{1,9}$/.test(value);
  if (kind !== 'text' && !isIndex) throw cursor.unexpected('a name in quotes or a whole number');
  cursor.advance();
  cursor.expect(']');
  const nameSpan = { start: from, end };
  const bracket = kind === 'text' ? 'text' : 'number';
  return { kind: 'member', object, name: value, bracket, nameSpan, span: cursor.spanFrom(start) };
}

function readMember(cursor: TokenCursor, object: Expression, start: number): Expression {
  const token = cursor.expect('name', 'a name');
  if (cursor.token.kind === '(') return readCall(cursor, { receiver: object, token, start });
  const nameSpan = { start: token.start, end: token.end };
  return { kind: 'member', object, name: token.value, nameSpan, span: cursor.spanFrom(start) };
}

interface Callee {
  readonly receiver: Expression | undefined;
  readonly token: Token;
  readonly start: number;
}

function readCall(cursor: TokenCursor, callee: Callee): Expression {
  const { receiver, token, start } = callee;
  const nameSpan = { start: token.start, end: token.end };
  const { open, arguments: read } = readArguments(cursor);
  const span = cursor.spanFrom(start);
  const { value: name } = token;
  const given = name === 'test' ? withPattern(cursor, read, receiver ? 0 : 1) : read;
  return { kind: 'call', receiver, name, nameSpan, open, arguments: given, span };
}

/** The arguments with the literal at `index` read as a regular expression. */
function withPattern(
  cursor: TokenCursor,
  given: readonly Expression[],
  index: number,
): readonly Expression[] {
  const pattern = given[index];
  if (pattern?.kind !== 'text') return given;
  return given.with(index, { ...pattern, value: cursor.patternAt(pattern.span.start) });
}

/** JavaScript would call an operand that is not a name, or index into it. */
function rejectCallOrIndex(cursor: TokenCursor): void {
  const { kind, start, end } = cursor.token;
  if (kind !== '(' && kind !== '[') return;
  const message =
    kind === '('
      ? "Expected an operator but found '(': only names can be called."
      : "Expected an operator but found '[': only properties of JSON have elements.";
  throw syntaxError(message, { text: cursor.text, span: { start, end } });
}

function readPrimary(cursor: TokenCursor): Expression {
  const { token } = cursor;
  switch (token.kind) {
    case 'name':
      return readName(cursor);
    case 'number':
      cursor.advance();
      return { kind: 'number', text: token.value, span: cursor.spanFrom(token.start) };
    case 'text':
      cursor.advance();
      return { kind: 'text', value: token.value, span: cursor.spanFrom(token.start) };
    case 'true':
    case 'false':
      cursor.advance();
      return { kind: 'boolean', value: token.kind === 'true', span: cursor.spanFrom(token.start) };
    case 'null':
      cursor.advance();
      return { kind: 'null', span: cursor.spanFrom(token.start) };
    case '(':
      return readParentheses(cursor);
    case '[':
      return readList(cursor);
    case '{':
      return readObject(cursor);
    default:
      throw cursor.unexpected('an expression', operandHints.get(token.kind));
  }
}

/** What begins an operand in SQL and JavaScript. */
const operandHints: ReadonlyMap<TokenKind, string> = new Map<TokenKind, string>([
  [':', PARAMETER_HINT],
  ['*', "Write 'count()' for the number of rows."],
  ['/', "There are no regular expressions: write 'like(text, pattern)'."],
]);

function readName(cursor: TokenCursor): Expression {
  const token = cursor.advance();
  const { start, value } = token;
  if (cursor.token.kind === '(') return readCall(cursor, { receiver: undefined, token, start });
  const span = cursor.spanFrom(start);
  return value === 'undefined' ? { kind: 'null', span } : { kind: 'name', name: value, span };
}

function readParentheses(cursor: TokenCursor): Expression {
  cursor.advance();
  const expression = readExpression(cursor);
  if (cursor.token.kind === ',') throw cursor.unexpected("')'", NO_TUPLE);
  cursor.expect(')');
  return expression;
}

const NO_TUPLE = "Write a list as '[a, b]', and a lambda with one parameter: 'p=>p.id'.";

function readList(cursor: TokenCursor): Expression {
  const { start } = cursor.advance();
  const items = readItems(cursor, ']', readExpression);
  const span = cursor.spanFrom(start);
  const last = items[listItemsMax];
  if (last) throw tooLong(items.length, last.span);
  return { kind: 'list', items, span };
}

/** The most items of a list in the expression; a list in the data may have any number. */
const listItemsMax = 10_000;

function tooLong(count: number, span: Span): EngineError {
  const message = `The list has ${count} items; at most ${listItemsMax} are allowed.`;
  const hint = 'Send a long list as a parameter: in(p.id, ids).';
  return new EngineError('list-too-long', message, { span, hint });
}

function readObject(cursor: TokenCursor): Expression {
  const { start } = cursor.advance();
  const entries = readItems(cursor, '}', readEntry);
  return { kind: 'object', entries, span: cursor.spanFrom(start) };
}

function readEntry(cursor: TokenCursor): ObjectEntry {
  const { kind, start, end, value: key } = cursor.token;
  if (kind !== 'name' && kind !== 'text') throw cursor.unexpected('a key');
  cursor.advance();
  if (cursor.token.kind !== ':') {
    const isStatement = kind === 'name' && (key === 'return' || cursor.token.kind === '.');
    const hint = isStatement ? "Write 'p=>p.id==id', without braces." : `Write '${key}: ${key}'.`;
    throw cursor.unexpected("':'", hint);
  }
  cursor.advance();
  return { key, keySpan: { start, end }, value: readExpression(cursor) };
}

/** Reads items separated by commas, up to and including `close`. A trailing comma is allowed. */
function readItems<Item>(
  cursor: TokenCursor,
  close: TokenKind,
  readItem: (cursor: TokenCursor) => Item,
): readonly Item[] {
  const items: Item[] = [];
  while (cursor.token.kind !== close) {
    items.push(readItem(cursor));
    if (!cursor.take(',')) break;
  }
  cursor.expect(close, `',' or '${close}'`);
  return items;
}

/**
 * Whether `p=>`, `(p)=>` or `()=>` begins at `token`. Looks ahead only at a parenthesis, a name, a parenthesis and
 * an arrow, so that nothing is parsed twice, however deeply parentheses nest.
 */
function lambdaStartsAt(text: string, token: Token): boolean {
  if (token.kind === 'name') return arrowFollows(text, token.end);
  return token.kind === '(' && parametersAndArrowFollow(text, token.end);
}

function parametersAndArrowFollow(text: string, offset: number): boolean {
  const at = skipBlanks(text, endOfName(text, skipBlanks(text, offset)));
  return text.startsWith(')', at) && arrowFollows(text, at + 1);
}

function arrowFollows(text: string, offset: number): boolean {
  return text.startsWith('=>', skipBlanks(text, offset));
}
