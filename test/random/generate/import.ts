/** Random import documents of the rows of a world: nested in one another, with and without keys. */
import { LosslessNumber, stringify } from 'lossless-json';
import { groupBy } from '../evaluate/group-by.js';
import { type Answered, isNumber } from '../judge/answered.js';
import {
  type AnsweredRow,
  generatedBy,
  generatedKeyOf,
  type Reference,
  referencesAmong,
} from '../judge/row-trees.js';
import type { World } from '../drive/world.js';
import type { Random } from '../random.js';
import { type Property, readBy } from '../world/domain.js';

/** A row that is not nested in another, with the rows nested in it. */
export interface ImportTree {
  readonly entity: string;
  readonly object: { readonly [name: string]: Answered };
  readonly rows: readonly AnsweredRow[];
}

export interface ImportPlan {
  /** Whether the values are those that are stored. */
  readonly isStored: boolean;
  /** Each is a list of rows of one entity. */
  readonly sections: readonly (readonly ImportTree[])[];
  /** The rows of which the document has no key. */
  readonly keyless: ReadonlySet<AnsweredRow>;
}

/** A document of these rows of the world. */
export function makeImport(random: Random, world: World, rows: readonly AnsweredRow[]): ImportPlan {
  const { domain } = world;
  const references = random.shuffled(referencesAmong(domain, rows));
  const nested = chosenNestings(random, references);
  const keyless = chosenKeyless(random, world, { rows, references, nested });
  const below = groupBy([...nested.values()], ({ parent }) => parent);
  const treeOf = (row: AnsweredRow): Omit<ImportTree, 'entity'> => {
    const inherited = nested.get(row)?.relation.from ?? [];
    const isLeftOut = ({ name, ...property }: Property): boolean => {
      if (inherited.includes(name)) return random.chance(0.4);
      if (keyless.has(row) && property.autoIncrement) return random.chance(0.7);
      const hasDefault = (property.default ?? property.computed) !== undefined;
      return (row.values[name] ?? null) === null && !hasDefault && random.chance(0.3);
    };
    const written = row.entity.properties.filter((each) => !isLeftOut(each));
    const members = written.map(({ name, autoIncrement }): [string, Answered] => {
      const value = row.values[name] ?? null;
      if (keyless.has(row) && autoIncrement) return [name, null];
      return [name, inherited.includes(name) ? respelled(random, value) : value];
    });
    const all = [row];
    for (const { name, isMany, through } of row.entity.relations) {
      if (!isMany || through) continue;
      const own = (below.get(row) ?? []).filter(({ inverse }) => inverse.name === name);
      const trees = random.shuffled(own).map(({ child }) => treeOf(child));
      all.push(...trees.flatMap((each) => each.rows));
      if (trees.length > 0) members.push([name, trees.map(({ object }) => object)]);
      else if (random.chance(0.1)) members.push([name, random.pick([null, []])]);
    }
    return { object: Object.fromEntries(random.shuffled(members)), rows: all };
  };
  const roots = rows.filter((row) => !nested.has(row));
  const trees = roots.map((row) => ({ entity: row.entity.name, ...treeOf(row) }));
  const sections = [...groupBy(trees, ({ entity }) => entity).values()].flatMap((each) => {
    const count = random.pick([1, 1, 2, 3]);
    return [...groupBy(random.shuffled(each), () => random.below(count)).values()];
  });
  const isStored = domain.entities.some(({ properties }) =>
    properties.some((each) => readBy(each).length > 0),
  );
  return {
    isStored: isStored || random.chance(0.3),
    sections: random.shuffled(sections),
    keyless,
  };
}

export function documentOf({ isStored, sections }: ImportPlan): string {
  const entities = sections.map((trees) => ({
    entity: trees[0]?.entity,
    rows: trees.map(({ object }) => object),
  }));
  return stringify({ ...(isStored && { values: 'stored' }), entities }) ?? '';
}

type Nested = ReadonlyMap<AnsweredRow, Reference>;

/** The reference by which each nested row is nested. */
function chosenNestings(random: Random, references: readonly Reference[]): Nested {
  const nested = new Map<AnsweredRow, Reference>();
  const share = random.pick([0.2, 0.6, 0.95]);
  for (const reference of references) {
    const { child, parent, inverse } = reference;
    if (!inverse.isMany || nested.has(child) || !random.chance(share)) continue;
    let above: AnsweredRow | undefined = parent;
    while (above && above !== child) above = nested.get(above)?.parent;
    if (!above) nested.set(child, reference);
  }
  return nested;
}

interface Nestings {
  readonly rows: readonly AnsweredRow[];
  readonly references: readonly Reference[];
  readonly nested: Nested;
}

/**
 * Rows with a generated key that only the rows nested in them inherit, so that it need not be given.
 */
function chosenKeyless(
  random: Random,
  { split }: World,
  { rows, references, nested }: Nestings,
): ReadonlySet<AnsweredRow> {
  const referring = groupBy(references, ({ parent }) => parent);
  const isMoved = ({ entity }: AnsweredRow) => split?.moved.includes(entity.name);
  const isFree = (row: AnsweredRow): boolean =>
    [...generatedBy([row], referring)].every(([above, names]) =>
      (referring.get(above) ?? [])
        .filter(({ relation }) => relation.to.some((name) => names.has(name)))
        .every(
          (each) =>
            nested.get(each.child) === each &&
            isMoved(each.child) === isMoved(each.parent) &&
            !isRead(each),
        ),
    );
  const share = random.pick([0.3, 0.8]);
  return new Set(
    rows.filter(
      (row) => generatedKeyOf(row.entity) !== undefined && random.chance(share) && isFree(row),
    ),
  );
}

/** Whether other values of the row are computed from its foreign key. */
function isRead({ child, relation }: Reference): boolean {
  const forms = child.entity.properties.map(
    ({ computed, writeValue }) => `${computed?.form} ${writeValue?.form}`,
  );
  return relation.from.some((name) =>
    forms.some((form) => form.match(/\bp\.\w+/g)?.includes(`p.${name}`)),
  );
}

/** Null stands for the key of the parent. */
function respelled(random: Random, value: Answered): Answered {
  if (random.chance(0.2)) return null;
  if (!isNumber(value) || random.chance(0.6)) return value;
  if (/^-?\d+$/.test(value.value)) return value.value.replace(/^-?/, '$&00');
  return /^-?\d+\.\d+$/.test(value.value) ? new LosslessNumber(`${value.value}0`) : value;
}
