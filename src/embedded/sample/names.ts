/** Generates names of people and companies. */
import { cyclic, type Random } from './random.js';
import words from './words.json' with { type: 'json' };

const { firstNames, lastNames, firmWords, firmKinds } = words;

export function makePerson(random: Random): string {
  return `${random.pick(firstNames)} ${random.pick(lastNames)}`;
}

/** A company's name. Several companies may have the same one. */
export function makeFirm(random: Random): string {
  return `${random.pick(firmWords)} ${random.pick(firmKinds)}`;
}

/** The n-th name, counted from 0, in a sequence of different company names. */
export function distinctFirm(index: number): string {
  const word = cyclic(firmWords, index);
  const turn = Math.floor(index / firmWords.length);
  // Each round combines every word with another kind of company.
  const kind = cyclic(firmKinds, (index % firmWords.length) + turn);
  return turn < firmKinds.length ? `${word} ${kind}` : `${word} ${kind} ${turn}`;
}
