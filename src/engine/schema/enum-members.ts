/** Members of enums, written as in code: `Role.admin`, and their values. */
import { EngineError, type Span } from '../errors.js';
import type { Expression } from '../language/ast.js';
import { mapChildren } from '../language/children.js';
import { didYouMean } from '../language/did-you-mean.js';
import type { Enum, SchemaScalar } from './model.js';

const noNames: ReadonlySet<string> = new Set();

/**
 * The expression with literals for the members of the enums. A name in `own`, or the variable of a lambda,
 * is not an enum. Throws `unknown-property` for a member that an enum does not have.
 */
export function withEnumMembers(
  enums: readonly Enum[],
  expression: Expression,
  own: ReadonlySet<string> = noNames,
): Expression {
  if (enums.length === 0) return expression;
  if (expression.kind === 'member' && expression.object.kind === 'name') {
    const { object, name, nameSpan, span } = expression;
    const found = own.has(object.name)
      ? undefined
      : enums.find((each) => each.name === object.name);
    return found ? literalOf(memberValue(found, name, nameSpan), span) : expression;
  }
  const variable = expression.kind === 'lambda' ? expression.parameter : undefined;
  const names = variable === undefined ? own : new Set([...own, variable]);
  return mapChildren(expression, (part) => withEnumMembers(enums, part, names));
}

function literalOf(value: SchemaScalar, span: Span): Expression {
  if (value === null) return { kind: 'null', span };
  if (typeof value === 'string') return { kind: 'text', value, span };
  if (typeof value === 'boolean') return { kind: 'boolean', value, span };
  const digits = { kind: 'number', text: String(Math.abs(value)), span } as const;
  if (value >= 0) return digits;
  return { kind: 'unary', operator: '-', operand: digits, span };
}

const NAMED_MAX = 20;

/** The value of a member. Throws `unknown-property` if the enum does not have it. */
export function memberValue({ name: of, values }: Enum, name: string, span?: Span): SchemaScalar {
  const member = values.find((each) => each.name === name);
  if (member) return member.value;
  const names = values.map((each) => each.name);
  const rest = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} others` : '';
  const message = `Enum '${of}' has no member '${name}', only ${names.slice(0, NAMED_MAX).join(', ')}${rest}.`;
  const hint = textHint(name, values) ?? didYouMean(name, names);
  throw new EngineError('unknown-property', message, { span, hint });
}

/** `Status.in-progress` is a subtraction for the parser. The hint is to write the text instead. */
function textHint(name: string, values: Enum['values']): string | undefined {
  const meant = values.find(
    (each) => each.name.startsWith(name) && /^[^\w$]/.test(each.name.slice(name.length)),
  );
  return meant && `Write the value of '${meant.name}': ${JSON.stringify(meant.value)}.`;
}
