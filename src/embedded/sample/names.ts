/** Names of people and firms. */
import type { Random } from './random.js';

const firstNames = [
  'Ada',
  'Björn',
  'Chloé',
  'Dmitri',
  'Élodie',
  'Fumiko',
  'Gonçalo',
  'Hüseyin',
  'Inés',
  'Jürgen',
  'Kasia',
  'Loïc',
  'Maeve',
  'Noémi',
  'Oskar',
  'Priya',
  'Rosa',
  'Søren',
  'Tomáš',
  '陽子',
] as const;

const lastNames = [
  'Almeida',
  "D'Angelo",
  'Brandstätter',
  'Cheng',
  'Díaz',
  'Eriksen',
  'Fourier',
  'Großmann',
  'Hallgrímsson',
  'Ito',
  'Jäger',
  'Kowalczyk',
  'Lefèvre',
  'Müller',
  "O'Farrell",
  'Peña',
  'Quispe',
  'Rønning',
  "St. John's",
  '田中',
] as const;

const firmWords = [
  'Alpenglow',
  'Blue Heron',
  'Café Lumière',
  'Dos Ríos',
  'Éclair',
  'Fjordlys',
  'Goldener Krug',
  'Half Moon',
  'Île Verte',
  'Juniper',
  'Kräuterhof',
  'La Cigüeña',
  'Mountain Larder',
  'Nordlicht',
  "Old Sailor's",
  'Pão Dourado',
  'Quince & Quill',
  "Rosa's",
  'Smørrebrød',
  'The Copper Pot',
  'Żubrówka',
  'さくら',
  '山の幸',
  'Zwölf Apostel',
] as const;

const firmKinds = [
  'Market',
  'Delicatessen',
  'Handels GmbH',
  '& Sons',
  'et Cie',
  'Importaciones',
  'Bistro',
  'Provisions Ltd',
  'Trading Co.',
  '商店',
] as const;

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
