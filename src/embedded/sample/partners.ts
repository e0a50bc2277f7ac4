/** The customers and suppliers of the sample. */
import { makeAddress, makePhone, makePlace } from './addresses.js';
import { cyclic, type Random, randomOf } from './random.js';
import { type SampleRow, topics } from './row.js';
import words from './words.json' with { type: 'json' };

const LETTERS = 26;
const IDS = LETTERS ** 5;
/** Odd and not a multiple of 13, so that the first 26⁵ customers have different ids. */
const ID_STEP = 7_368_787;

/** The customer of that number, counted from 1. */
export function customerRow(number: number): SampleRow {
  const random = randomOf(topics.customer, number);
  const place = makePlace(random);
  return {
    id: customerId(number),
    name: makeFirm(random),
    contact: random.chance(5) ? null : makePerson(random),
    phone: makePhone(place, random),
    ...makeAddress(place, random),
  };
}

/** An id of five capital letters. */
function customerId(number: number): string {
  let rest = (number * ID_STEP) % IDS;
  let id = '';
  for (let position = 0; position < 5; position += 1) {
    id += String.fromCharCode(65 + (rest % LETTERS));
    rest = Math.floor(rest / LETTERS);
  }
  return id;
}

/** The supplier of that number, counted from 1. */
export function supplierRow(number: number): SampleRow {
  const random = randomOf(topics.supplier, number);
  const place = makePlace(random);
  return {
    id: number,
    name: distinctFirm(number * 7),
    contact: makePerson(random),
    phone: makePhone(place, random),
    homepage: random.chance(60) ? null : `https://supplier-${number}.example/`,
    ...makeAddress(place, random),
  };
}

const { firstNames, lastNames, firmWords, firmKinds } = words;

function makePerson(random: Random): string {
  return `${random.pick(firstNames)} ${random.pick(lastNames)}`;
}

/** A company's name. Several companies may have the same one. */
function makeFirm(random: Random): string {
  return `${random.pick(firmWords)} ${random.pick(firmKinds)}`;
}

/** The n-th name, counted from 0, in a sequence of different company names. */
function distinctFirm(index: number): string {
  const word = cyclic(firmWords, index);
  const turn = Math.floor(index / firmWords.length);
  // Each round combines every word with another kind of company.
  const kind = cyclic(firmKinds, (index % firmWords.length) + turn);
  return turn < firmKinds.length ? `${word} ${kind}` : `${word} ${kind} ${turn}`;
}
