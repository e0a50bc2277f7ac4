/**
 * Prints a syntax tree as canonical text with only the necessary parentheses. Parsing it gives the
 * same tree except for spans.
 */
import { assertNever } from '../../../src/engine/errors.js';
import type {
  MemberExpression,
  BinaryExpression,
  BinaryOperator,
  CallExpression,
  ConditionalExpression,
  Expression,
  LambdaExpression,
  ObjectEntry,
  QuerySyntax,
  UnaryExpression,
} from '../../../src/engine/language/ast.js';
import {
  binaryRule,
  mixesCoalescing,
  type OperatorRule,
} from '../../../src/engine/language/operators.js';

/** The precedence of unary operators, which bind more tightly than every binary operator. */
const unaryPrecedence = 12;

/** The canonical text of a query. */
export function printQuery(query: QuerySyntax): string {
  const clauses = query.clauses.map((clause) => `.${clause.name}${printArguments(clause)}`);
  return query.entity + clauses.join('');
}

/** The canonical text of an expression. */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'text':
      return printText(expression.value);
    case 'number':
      return expression.text;
    case 'boolean':
      return String(expression.value);
    case 'null':
      return 'null';
    case 'name':
      return expression.name;
    case 'member':
      return printReceiver(expression.object) + printName(expression);
    case 'call':
      return printCall(expression);
    case 'unary':
      return printUnary(expression);
    case 'binary':
      return printBinary(expression);
    case 'conditional':
      return printConditional(expression);
    case 'list':
      return `[${printAll(expression.items)}]`;
    case 'object':
      return `{${expression.entries.map(printEntry).join(', ')}}`;
    case 'lambda':
      return printLambda(expression);
    default:
      return assertNever(expression);
  }
}

function printName({ name, bracket }: MemberExpression): string {
  if (bracket === undefined) return `.${name}`;
  return bracket === 'number' ? `[${name}]` : `[${printText(name)}]`;
}

/** How tightly an expression binds: lambdas and conditionals the least, operands the most. */
function precedenceOf(expression: Expression): number {
  switch (expression.kind) {
    case 'lambda':
    case 'conditional':
      return 0;
    case 'binary':
      return ruleOf(expression.operator).precedence;
    case 'unary':
      return unaryPrecedence;
    default:
      return unaryPrecedence + 1;
  }
}

function ruleOf(operator: BinaryOperator): OperatorRule {
  const rule = binaryRule(operator);
  if (!rule) throw new Error(`no rule for ${operator}`);
  return rule;
}

function printAtLeast(expression: Expression, precedence: number): string {
  const text = printExpression(expression);
  return precedenceOf(expression) < precedence ? `(${text})` : text;
}

/** A number before a dot needs parentheses, or the dot would be its decimal point. */
function printReceiver(receiver: Expression): string {
  if (receiver.kind === 'number') return `(${receiver.text})`;
  return printAtLeast(receiver, unaryPrecedence + 1);
}

function printCall(call: CallExpression): string {
  const receiver = call.receiver === undefined ? '' : `${printReceiver(call.receiver)}.`;
  return receiver + call.name + printArguments(call);
}

function printArguments(call: Pick<CallExpression, 'arguments'>): string {
  return `(${printAll(call.arguments)})`;
}

function printAll(expressions: readonly Expression[]): string {
  return expressions.map(printExpression).join(', ');
}

function printUnary(expression: UnaryExpression): string {
  const operand = printAtLeast(expression.operand, unaryPrecedence);
  // `--` would be a single token.
  const space = expression.operator === '-' && operand.startsWith('-') ? ' ' : '';
  return expression.operator + space + operand;
}

function printBinary(expression: BinaryExpression): string {
  const { operator, left, right } = expression;
  const { precedence, rightMinimum } = ruleOf(operator);
  const rightText = printAtLeast(right, rightMinimum);
  const leftText = printExpression(left);
  const leftMinimum = rightMinimum > precedence ? precedence : unaryPrecedence + 1;
  const mixed = left.kind === 'binary' && mixesCoalescing(operator, left.operator);
  const bare = precedenceOf(left) >= leftMinimum && !mixed;
  return `${bare ? leftText : `(${leftText})`} ${operator} ${rightText}`;
}

function printConditional(expression: ConditionalExpression): string {
  const test = printAtLeast(expression.test, 1);
  const consequent = printExpression(expression.consequent);
  return `${test} ? ${consequent} : ${printExpression(expression.alternate)}`;
}

function printEntry(entry: ObjectEntry): string {
  const key = isPlainKey(entry.key) ? entry.key : printText(entry.key);
  return `${key}: ${printExpression(entry.value)}`;
}

function isPlainKey(key: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(key) && !/^(?:true|false|null)$/.test(key);
}

/** As in JavaScript, a brace after the arrow would open a block, so an object needs parentheses. */
function printLambda(lambda: LambdaExpression): string {
  const body = printExpression(lambda.body);
  const parameter = lambda.parameter ?? '()';
  return `${parameter} => ${lambda.body.kind === 'object' ? `(${body})` : body}`;
}

/** JavaScript reads JSON's escapes. JSON leaves U+2028 and U+2029 unescaped, which is allowed. */
function printText(value: string): string {
  return JSON.stringify(value);
}
