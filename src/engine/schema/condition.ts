/**
 * The conditions of a stage's sources: small expressions over `entity`, `action`, `read` and
 * `write`, evaluated by Rowgate.
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
};

function compileName(name: string): Evaluation {
  const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (variable) return variable;
  const known = 'The variables are entity, action, read and write.';
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

type Operation = (subject: unknown, argument: unknown) => unknown;

const operations: Readonly<Record<string, Operation>> = {
  in: (item, list) => Array.isArray(list) && list.includes(item),
  includes: (list, item) =>
    Array.isArray(list) ? list.includes(item) : String(list).includes(String(item)),
  contains: (text, part) => String(text).includes(String(part)),
  startsWith: (text, start) => String(text).startsWith(String(start)),
  startWith: (text, start) => String(text).startsWith(String(start)),
  endsWith: (text, end) => String(text).endsWith(String(end)),
};

/** `in(entity, […])` or `entity.in([…])`; the list may also be given as several arguments. */
function compileCall({ name, receiver, arguments: given }: CallExpression): Evaluation {
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!operation) {
    const hint = didYouMean(name, Object.keys(operations));
    throw new EngineError('unknown-function', `A condition has no function '${name}'.`, { hint });
  }
  const [subject, ...rest] = receiver ? [receiver, ...given] : given;
  if (!subject || rest.length === 0 || (rest.length > 1 && name !== 'in')) {
    throw new EngineError('wrong-arguments', `'${name}' takes two arguments.`);
  }
  const one = compile(subject);
  const others = rest.map(compile);
  const [first] = others;
  return (request) => {
    const other = others.length === 1 ? first?.(request) : others.map((each) => each(request));
    return operation(one(request), other);
  };
}

function unsupported(what: string): never {
  throw new EngineError('unsupported', `${what} is not supported in a condition.`);
}
