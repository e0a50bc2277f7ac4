/** The relations of a random entity to earlier entities and to itself. */
import type { Random } from '../random.js';
import type { Property, Relation } from './domain.js';
import type { Draft } from './draft.js';
import { lengthOf, made } from './make-properties.js';

/** Adds one to three relations with their columns and inverses. Keys have one or two columns. */
export function relate(random: Random, draft: Draft, earlier: readonly Draft[]): void {
  const targets = [...earlier, draft].filter(({ primaryKey }) => primaryKey.length > 0);
  const others = targets.filter((each) => each !== draft);
  const crowd = others.findLast(({ size }) => size > 100);
  const chosen = random.some(others, 1 + random.below(2));
  if (crowd && !chosen.includes(crowd)) chosen.push(crowd);
  if (targets.includes(draft) && random.chance(0.5)) chosen.push(draft);
  for (const target of chosen) addRelation(random, draft, target);
}

function addRelation(random: Random, draft: Draft, target: Draft): void {
  const isSelf = draft === target;
  const name = isSelf ? 'boss' : wordOf(target);
  const inverse = isSelf ? 'staff' : `${wordOf(draft)}s`;
  const isTaken = [name, inverse].some((each) => isUsed(draft, each) || isUsed(target, each));
  if (isTaken) return;
  const isOne =
    !isSelf &&
    target.size < 100 &&
    draft.size < 100 &&
    random.chance(0.15) &&
    draft.uniqueKey.length === 0;
  const isWeak = random.chance(0.2);
  const isNullable = isSelf || random.chance(0.6);
  const to = random.chance(0.3) ? target.primaryKey.toReversed() : target.primaryKey;
  const from: string[] = [];
  for (const each of to) {
    const key = target.properties.find((property) => property.name === each);
    const suffix = to.length === 1 ? 'Id' : each.charAt(0).toUpperCase() + each.slice(1);
    if (key)
      from.push(foreignKey(random, draft, { name: name + suffix, key, isNullable, taken: from }));
  }
  if (isOne) draft.uniqueKey = from;
  const type = isOne ? 'oneToOne' : 'oneToMany';
  draft.relations.push({
    name,
    from,
    entity: target.name,
    to,
    isMany: false,
    isWeak,
    declared: { type, target: inverse },
  });
  const back: Relation = {
    name: inverse,
    from: to,
    entity: draft.name,
    to: from,
    isMany: !isOne,
    isWeak,
  };
  target.relations.push(back);
}

const THROUGH = 0.5;

/** Makes join tables of some small entities that refer to two others: each of these leads to the other. */
export function relateThrough(random: Random, drafts: readonly Draft[]): void {
  for (const link of drafts) {
    const references = link.relations.filter(({ declared, isMany }) => declared && !isMany);
    const [one, other] = random.shuffled(references);
    const [start, end] = [one, other].map((each) =>
      drafts.find(({ name }) => name === each?.entity),
    );
    if (link.size > 100 || !one || !other || !start || !end || !random.chance(THROUGH)) continue;
    const [name, target] = [end, start].map((each) => `${wordOf(each)}By${wordOf(link)}`);
    if (name === undefined || target === undefined) continue;
    const common = { isMany: true, isWeak: false };
    start.relations.push({
      name,
      from: one.to,
      entity: end.name,
      to: other.to,
      through: { entity: link.name, from: one.from, to: other.from },
      declared: { type: 'manyToOne', target },
      ...common,
    });
    end.relations.push({
      name: target,
      from: other.to,
      entity: start.name,
      to: one.to,
      through: { entity: link.name, from: other.from, to: one.from },
      ...common,
    });
  }
}

interface ForeignKey {
  readonly name: string;
  readonly key: Property;
  readonly isNullable: boolean;
  /** The other columns of the same foreign key. */
  readonly taken: readonly string[];
}

/** The name of a column of the type of the key. It may be part of the entity's own key. */
function foreignKey(
  random: Random,
  draft: Draft,
  { name, key, isNullable, taken }: ForeignKey,
): string {
  const used = [...taken, ...draft.relations.flatMap(({ from }) => from)];
  const isFree = draft.properties.some((each) => each.name === 'part') && !used.includes('part');
  const isShort = key.type === 'integer' && !key.isLong;
  if (!isNullable && isFree && isShort && random.chance(0.7)) return 'part';
  const property = made(random, name, key.type, {
    required: !isNullable,
    ...(key.isLong && { isLong: true }),
    ...lengthOf(key.type, key.length ?? 80),
  });
  draft.properties.push(property);
  return name;
}

function isUsed({ properties, relations }: Draft, name: string): boolean {
  return [...properties, ...relations].some((each) => each.name === name);
}

/** The name of the relation to `Alpha.beta` is `beta`. */
function wordOf({ name }: Draft): string {
  const last = name.split('.').at(-1) ?? name;
  return last.toLowerCase();
}
