/**
 * The conditions of a stage's sources: small expressions over `entity`, `action`, `read`, `write`,
 * `dml` and `ddl`, evaluated by Rowgate.
 */
import { EngineError } from '../errors.js';
import type { BinaryExpression, CallExpression, Expression } from '../language/ast.js';
import { didYouMean } from '../language/did-you-mean.js';
import { parseExpression } from '../language/parse-expression.js';
import { withEnumMembers } from './enum-members.js';
import type { LocationRequest } from './locate.js';
import type { Enum } from './model.js';

/** A compiled condition: whether it holds for a request. */
export type Condition = (request: LocationRequest) => boolean;

/**
 * Compiles a condition. Throws an EngineError: of the parser, 'unsupported' for other constructs,
 * 'unknown-function' or 'unknown-property' for unknown names.
 */
export function compileCondition(text: string, enums: readonly Enum[]): Condition {
  const names = new Set(Object.keys(variables));
  const evaluate = compile(withEnumMembers(enums, parseExpression(text, limits), names));
  return (request) => evaluate(request) === true;
}

const limits = { expressionLengthMax: 4_096, nestingMax: 64 };

type Evaluation = (request: LocationRequest) => unknown;

function compile(expression: Expression): Evaluation {
  switch (expression.kind) {
    case 'text':
    case 'boolean':
      return () => expression.value;
    case 'number':
      return () => Number(expression.text);
    case 'null':
      return () => null;
    case 'name':
      return compileName(expression.name);
    case 'list': {
      const items = expression.items.map(compile);
      return (request) => items.map((item) => item(request));
    }
    case 'unary':
      if (expression.operator === '!') return compileNot(expression.operand);
      return unsupported(`The operator '${expression.operator}'`);
    case 'binary':
      return compileBinary(expression);
    case 'call':
      return compileCall(expression);
    default:
      return unsupported(`An expression of kind ${expression.kind}`);
  }
}

const variables: Readonly<Record<string, Evaluation>> = {
  entity: ({ entity }) => entity,
  action: ({ action }) => action,
  read: ({ action }) => action === 'select',
  write: ({ action }) => action !== 'select',
  // Requests never change tables.
  dml: () => true,
  ddl: () => false,
};

function compileName(name: string): Evaluation {
  const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (variable) return variable;
  const known = 'The variables are entity, action, read, write, dml and ddl.';
  const hint = didYouMean(name, Object.keys(variables)) ?? known;
  throw new EngineError('unknown-property', `A condition has no variable '${name}'.`, { hint });
}

function compileNot(operand: Expression): Evaluation {
  const evaluate = compile(operand);
  return (request) => evaluate(request) !== true;
}

function compileBinary({ operator, left, right }: BinaryExpression): Evaluation {
  const one = compile(left);
  const other = compile(right);
  switch (operator) {
    case '==':
      return (request) => one(request) === other(request);
    case '!=':
      return (request) => one(request) !== other(request);
    case '&&':
      return (request) => one(request) === true && other(request) === true;
    case '||':
      return (request) => one(request) === true || other(request) === true;
    default:
      return unsupported(`The operator '${operator}'`);
  }
}

interface Operation {
  /** The least and the largest number of arguments. */
  readonly arity: readonly [number, number];
  readonly apply: (subject: unknown, ...others: readonly unknown[]) => unknown;
}

const operations: Readonly<Record<string, Operation>> = {
  in: {
    arity: [2, Infinity],
    apply: (item, first, ...more) =>
      (more.length === 0 && Array.isArray(first) ? first : [first, ...more]).includes(item),
  },
  includes: {
    arity: [2, 2],
    apply: (list, item) =>
      Array.isArray(list) ? list.includes(item) : String(list).includes(String(item)),
  },
  contains: ofText((text, part) => text.includes(part)),
  startsWith: ofText((text, start) => text.startsWith(start)),
  startWith: ofText((text, start) => text.startsWith(start)),
  endsWith: ofText((text, end) => text.endsWith(end)),
  endWith: ofText((text, end) => text.endsWith(end)),
  lower: { arity: [1, 1], apply: (text) => String(text).toLowerCase() },
  upper: { arity: [1, 1], apply: (text) => String(text).toUpperCase() },
  // As in lambdaorm's conditions, from 0 and without the character at the end.
  substring: {
    arity: [2, 3],
    apply: (text, start, end) =>
      String(text).substring(Number(start), end === undefined ? undefined : Number(end)),
  },
};

function ofText(compare: (text: string, other: string) => boolean): Operation {
  return { arity: [2, 2], apply: (text, other) => compare(String(text), String(other)) };
}

/** `in(entity, […])` or `entity.in([…])`; the list may also be given as several arguments. */
function compileCall({ name, receiver, arguments: given }: CallExpression): Evaluation {
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!operation) {
    const hint = didYouMean(name, Object.keys(operations));
    throw new EngineError('unknown-function', `A condition has no function '${name}'.`, { hint });
  }
  const parts = receiver ? [receiver, ...given] : given;
  const [least, most] = operation.arity;
  if (parts.length < least || parts.length > most) {
    const counts = least === most ? String(least) : `${least} or ${most}`;
    const expected = most === Infinity ? `at least ${least}` : counts;
    const message = `'${name}' takes ${expected} argument${expected === '1' ? '' : 's'}.`;
    throw new EngineError('wrong-arguments', message);
  }
  const evaluations = parts.map(compile);
  return (request) => {
    const [subject, ...others] = evaluations.map((evaluate) => evaluate(request));
    return operation.apply(subject, ...others);
  };
}

function unsupported(what: string): never {
  throw new EngineError('unsupported', `${what} is not supported in a condition.`);
}
