/**
 * Parameters of unknown type that a query returns: the answer repeats the JSON that the client sent.
 */
import type { Bound } from './logical.js';
import { choicesOf, chosenParameters } from './narrow-bound.js';
import { slotType } from './parameters.js';

/** Whether a value is a parameter of unknown type, or a choice among such parameters and nulls. */
export function isAnsweredAsGiven(value: Bound): boolean {
  return isOpen(value) && chosenParameters(value).length > 0;
}

function isOpen(value: Bound): boolean {
  if (value.kind === 'null') return true;
  if (value.kind === 'parameter') return (slotType(value.slot) ?? 'any') === 'any';
  const choices = choicesOf(value);
  return choices.length > 0 && choices.every(isOpen);
}

/** The value with its parameters marked to be returned as the JSON that was sent. */
export function asGiven(value: Bound): Bound {
  switch (value.kind) {
    case 'parameter':
      return { ...value, isJson: true };
    case 'binary':
      return { ...value, left: asGiven(value.left), right: asGiven(value.right) };
    case 'conditional': {
      const { consequent, alternate } = value;
      return { ...value, consequent: asGiven(consequent), alternate: asGiven(alternate) };
    }
    case 'call': {
      const choices = choicesOf(value);
      const given = value.arguments.map((each) => (choices.includes(each) ? asGiven(each) : each));
      return { ...value, arguments: given };
    }
    case 'aggregate':
    case 'subselect':
      return { ...value, argument: value.argument && asGiven(value.argument) };
    default:
      return value;
  }
}
