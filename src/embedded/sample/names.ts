/** Generates names of people and companies. */
import type { Random } from './random.js';
import { words } from '../sample-words.js';

const firstNames = words('firstNames');
const lastNames = words('lastNames');
const firmWords = words('firmWords');
const firmKinds = words('firmKinds');

/** A first and a last name. */
export function makePerson(random: Random): string {
  return `${random.pick(firstNames)} ${random.pick(lastNames)}`;
}

/** A company's name. Several companies may have the same one. */
export function makeFirm(random: Random): string {
  return `${random.pick(firmWords)} ${random.pick(firmKinds)}`;
}

/** The n-th name, counted from 0, in a sequence of different company names. */
export function distinctFirm(index: number): string {
  const word = firmWords[index % firmWords.length] ?? firmWords[0];
  const turn = Math.floor(index / firmWords.length);
  // Each round combines every word with another kind of company.
  const kind = firmKinds[((index % firmWords.length) + turn) % firmKinds.length] ?? firmKinds[0];
  return turn < firmKinds.length ? `${word} ${kind}` : `${word} ${kind} ${turn}`;
}
