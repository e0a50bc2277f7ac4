/** Names of people and firms. */
import type { Random } from './random.js';
import { words } from './words.js';

const firstNames = words('firstNames');
const lastNames = words('lastNames');
const firmWords = words('firmWords');
const firmKinds = words('firmKinds');

/** A first and a last name. */
export function makePerson(random: Random): string {
  return `${random.pick(firstNames)} ${random.pick(lastNames)}`;
}

/** A firm's name; firms may share one. */
export function makeFirm(random: Random): string {
  return `${random.pick(firmWords)} ${random.pick(firmKinds)}`;
}

/** The n-th of the firms' names that are all different, counted from 0. */
export function distinctFirm(index: number): string {
  const word = firmWords[index % firmWords.length] ?? firmWords[0];
  const turn = Math.floor(index / firmWords.length);
  // Every word meets another kind at each turn.
  const kind = firmKinds[((index % firmWords.length) + turn) % firmKinds.length] ?? firmKinds[0];
  return turn < firmKinds.length ? `${word} ${kind}` : `${word} ${kind} ${turn}`;
}
