/** Random domains: keys of one and two columns, relations of every kind, properties of every type. */
import type { Random } from '../random.js';
import type { Domain, Entity } from './domain.js';
import type { Draft } from './draft.js';
import { makeConstraints } from './make-constraints.js';
import { makeDefaults } from './make-defaults.js';
import { makeProperties } from './make-properties.js';
import { relate, relateThrough } from './make-relations.js';
import { makeWriteValues } from './make-write-values.js';

const names = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon', 'Zeta'];

/** The number of rows of the two large entities, which are read in several parts. */
const CROWDS = [270, 340];
const SMALL_MAX = 11;

/** Four to six entities; two of them have hundreds of rows that refer to each other. */
export function makeDomain(random: Random): Domain {
  const count = 4 + random.below(3);
  const crowds = random.chance(0.7) ? CROWDS : [];
  const drafts: Draft[] = [];
  for (const [index, name] of names.slice(0, count).entries()) {
    const crowd = crowds[index - count + crowds.length];
    drafts.push(makeEntity(random, name, drafts, crowd));
  }
  relateThrough(random, drafts);
  for (const draft of drafts) {
    makeWriteValues(random, draft);
    makeConstraints(random, draft);
  }
  return { entities: drafts.map(finished) };
}

function makeEntity(
  random: Random,
  name: string,
  earlier: readonly Draft[],
  crowd: number | undefined,
): Draft {
  const isPart = earlier.length > 1 && random.chance(0.35);
  const owner = random.pick([name, ...earlier.map((each) => each.name)]);
  const full = isPart ? `${owner}.${name.toLowerCase()}` : name;
  const draft: Draft = {
    name: full,
    table: tableOf(random, name),
    primaryKey: [],
    uniqueKey: [],
    properties: [],
    relations: [],
    constraints: [],
    index: undefined,
    size: crowd ?? random.below(SMALL_MAX + 1) + (earlier.length === 0 ? 2 : 0),
  };
  makeProperties(random, draft, {
    hasAllTypes: earlier.length === 0,
    isCrowd: crowd !== undefined,
  });
  relate(random, draft, earlier);
  makeDefaults(random, draft);
  // XML has no order, so it cannot be indexed.
  const ordered = draft.properties.filter(({ type }) => type !== 'xml');
  if (random.chance(0.4)) draft.index = random.pick(ordered).name;
  return draft;
}

/** Ordinary names, reserved words, names with spaces, and names whose upper case needs quotes. */
function tableOf(random: Random, name: string): string {
  const plain = name.toLowerCase();
  return random.pick([plain, name, `${name} Rows`, `"${name}T"`, `_${plain}`, `"${plain}.x"`]);
}

function finished({ index, ...draft }: Draft): Entity {
  return { ...draft, ...(index !== undefined && { index }) };
}
