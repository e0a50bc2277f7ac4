/** Choices among parameters of one type that only their values tell. */
import { parameter, type Scope } from './sketch.js';

/** The probability of such a value where its type does not matter. */
export const ALIKE = 0.05;

/** A value by which rows can be sorted. */
export function alike(scope: Scope): string {
  const { random, constructs, expression } = scope.sketch;
  constructs.add('choice among parameters');
  const [first, second] = [parameter(scope, 'alike1'), parameter(scope, 'alike2')];
  const test = () => expression(scope, 'b', 1);
  return random.pick([
    () => `(${test()} ? ${first} : ${second})`,
    () => `(${test()} ? ${first} : null ?? ${second})`,
    () => `nvl2(${expression(scope, 'i', 0, '=')}, ${first}, ${second})`,
  ])();
}
