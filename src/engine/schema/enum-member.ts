/** Members of enums, written as in code: `Role.admin`. */
import { EngineError, type Span } from '../errors.js';
import { didYouMean } from '../language/did-you-mean.js';
import type { Enum, SchemaScalar } from './model.js';

const NAMED_MAX = 20;

/** The value of a member. Throws `unknown-property` if the enum does not have it. */
export function memberValue({ name: of, values }: Enum, name: string, span?: Span): SchemaScalar {
  const member = values.find((each) => each.name === name);
  if (member) return member.value;
  const names = values.map((each) => each.name);
  const rest = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} others` : '';
  const message = `Enum '${of}' has no member '${name}', only ${names.slice(0, NAMED_MAX).join(', ')}${rest}.`;
  throw new EngineError('unknown-property', message, { span, hint: didYouMean(name, names) });
}
