/** Drafts relations from foreign keys: the names of both directions. */
import type { ExistingForeignKey, ExistingTable } from '../ddl/existing.js';
import { isKey } from '../schema/names.js';
import type { DraftProperty, DraftRelation, Remark } from './schema-draft.js';
import { UniqueNames } from './unique-names.js';
import { capitalized, lowerCamel, plural, singular, wordsOf } from './words.js';

/** A table that is being drafted as an entity. */
export interface DraftTable {
  readonly table: ExistingTable;
  readonly entity: string;
  readonly properties: ReadonlyMap<string, DraftProperty>;
}

export interface DraftRelations {
  readonly of: ReadonlyMap<DraftTable, readonly DraftRelation[]>;
  readonly remarks: ReadonlyMap<DraftTable, readonly Remark[]>;
}

/** A foreign key that becomes a relation; its inverse has no name yet. */
interface Link {
  readonly owner: DraftTable;
  readonly target: DraftTable;
  readonly from: readonly DraftProperty[];
  readonly to: readonly DraftProperty[];
  readonly name: string;
  /** Distinguishes it, in the name of its inverse, from other relations between the same tables. */
  readonly way: string;
  readonly isOnly: boolean;
  readonly isUnchecked: boolean;
}

const UNCHECKED =
  'The foreign key is NOT VALID or NOT ENFORCED, so rows may refer to rows that do not exist, and its relation is weak.';

/**
 * Drafts the relations of all tables: first those of the foreign keys, then their inverses, then those
 * through join tables.
 */
export function draftRelations(tables: readonly DraftTable[]): DraftRelations {
  const byPlace = new Map(tables.map((each) => [placeOf(each.table), each]));
  const names = new Map(tables.map((each) => [each, takenNames(each)]));
  const remarks = new Map<DraftTable, Remark[]>(tables.map((each) => [each, []]));
  const links = tables.flatMap((owner) =>
    orderedKeys(owner.table).flatMap((key): Link[] => {
      const target = byPlace.get(placeOf({ schema: key.schema, name: key.table }));
      const found = ends(owner, target, key);
      const place = `${placeOf(owner.table)}.${key.name}`;
      if (target && typeof found !== 'string') {
        const isUnchecked = key.isUnchecked === true;
        if (isUnchecked) remarks.get(owner)?.push({ place, why: UNCHECKED, isMapped: true });
        return [{ ...found, owner, target, ...named(owner, target, key, names), isUnchecked }];
      }
      remarks.get(owner)?.push({ place, why: typeof found === 'string' ? found : '' });
      return [];
    }),
  );
  const relations = new Map<DraftTable, DraftRelation[]>(tables.map((each) => [each, []]));
  for (const link of links) {
    const { owner, target, from, to, name, isOnly, isUnchecked } = link;
    const inverse = inverseName(link, links, names.get(target) ?? new UniqueNames());
    const type = isOnly ? 'oneToOne' : 'oneToMany';
    const ends = { from: from.map(nameOf), entity: target.entity, to: to.map(nameOf) };
    relations
      .get(owner)
      ?.push({ name, type, ...ends, target: inverse, ...(isUnchecked && { weak: true }) });
  }
  for (const [one, other] of tables.flatMap((table) => joinedBy(table, links))) {
    const { owner, target } = one;
    const [name, inverse] = [nameThrough(other, one, names), nameThrough(one, other, names)];
    relations.get(target)?.push({
      name,
      type: 'manyToOne',
      from: one.to.map(nameOf),
      entity: other.target.entity,
      to: other.to.map(nameOf),
      through: { entity: owner.entity, from: one.from.map(nameOf), to: other.from.map(nameOf) },
      target: inverse,
    });
  }
  return { of: relations, remarks };
}

/** The two foreign keys that together are the primary key of a join table. */
function joinedBy(owner: DraftTable, links: readonly Link[]): readonly [Link, Link][] {
  const { primaryKey = [] } = owner.table;
  const key = primaryKey.flatMap((column) => owner.properties.get(column)?.name ?? []);
  const own = links.filter((each) => each.owner === owner);
  const pairs = own.flatMap((one, index) =>
    own.slice(index + 1).map((other): [Link, Link] => [one, other]),
  );
  return pairs
    .filter(([one, other]) => isKey(key, [...one.from, ...other.from].map(nameOf)))
    .slice(0, 1);
}

/**
 * The name of the relation to the target of `link`: `tags`, or `tagsByItemTag` if that is taken.
 */
function nameThrough(link: Link, from: Link, names: ReadonlyMap<DraftTable, UniqueNames>): string {
  const name = lowerCamel(plural(wordsOf(link.name)));
  const taken = names.get(from.target) ?? new UniqueNames();
  return taken.takeFirst([name, `${name}By${link.owner.entity}`]);
}

function nameOf({ name }: DraftProperty): string {
  return name;
}

function placeOf({ schema, name }: Pick<ExistingTable, 'schema' | 'name'>): string {
  return `${schema}.${name}`;
}

function takenNames({ properties }: DraftTable): UniqueNames {
  return new UniqueNames([...properties.values()].map(({ name }) => name));
}

/** The foreign keys in the order of their columns, without duplicates. */
function orderedKeys({ columns, foreignKeys }: ExistingTable): readonly ExistingForeignKey[] {
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  const placeOfKey = (key: ExistingForeignKey) => places.get(key.columns[0] ?? '') ?? 0;
  const texts = foreignKeys.map(({ name: _name, ...rest }) => JSON.stringify(rest));
  return foreignKeys
    .filter((_, index) => texts.indexOf(texts[index] ?? '') === index)
    .sort((one, other) => placeOfKey(one) - placeOfKey(other));
}

/** The properties at both ends of a relation, or why there is none. */
function ends(
  owner: DraftTable,
  target: DraftTable | undefined,
  key: ExistingForeignKey,
): Pick<Link, 'from' | 'to'> | string {
  const leads = `The foreign key refers to ${key.schema}.${key.table}`;
  if (!target) return `${leads}, which is not mapped.`;
  const from = key.columns.flatMap((column) => owner.properties.get(column) ?? []);
  const to = key.targetColumns.flatMap((column) => target.properties.get(column) ?? []);
  const isMapped = from.length === key.columns.length && to.length === key.columns.length;
  return isMapped ? { from, to } : `${leads} by a column that is not mapped.`;
}

function named(
  owner: DraftTable,
  target: DraftTable,
  key: ExistingForeignKey,
  names: ReadonlyMap<DraftTable, UniqueNames>,
): Pick<Link, 'name' | 'way' | 'isOnly'> {
  const words = withoutSuffix(wordsOf(telling(key)));
  const targetWords = singular(wordsOf(target.table.name));
  const wished = lowerCamel(words) || lowerCamel(targetWords);
  // A column such as `sold_by` already contains the word: `soldByClerk`.
  const entity = targetWords.map(capitalized).join('');
  const full = capitalized(wished).endsWith(entity) ? wished : `${wished}${entity}`;
  const taken = names.get(owner);
  const name = taken?.takeFirst([wished, full, `${wished}Ref`]) ?? wished;
  const { primaryKey = [], uniqueKeys, deferrableKeys = [] } = owner.table;
  const isOnly = [primaryKey, ...uniqueKeys, ...deferrableKeys].some((each) =>
    isKey(each, key.columns),
  );
  return { name, way: name === full ? wished : name, isOnly };
}

/**
 * The column after which a relation is named. Of several, it is the only one with another name in
 * the target.
 */
function telling({ columns, targetColumns }: ExistingForeignKey): string {
  const [first = ''] = columns;
  const others = columns.filter((column, index) => column !== targetColumns[index]);
  return columns.length === 1 ? first : others.length === 1 ? (others[0] ?? '') : '';
}

const suffixes = new Set(['id', 'ids', 'fk', 'key', 'code', 'no', 'nr', 'num', 'uuid', 'ref']);

/** `customer_id` and `customer_fk` give `customer`. */
function withoutSuffix(words: readonly string[]): readonly string[] {
  const last = words.at(-1) ?? '';
  if (suffixes.has(last)) return words.slice(0, -1);
  // For example `customerid`.
  const stem = /^(\w{3,})id$/.exec(last)?.[1];
  return stem === undefined ? words : [...words.slice(0, -1), stem];
}

/**
 * The name of the inverse: `orders`. If several relations lead from one table to the other, or to
 * the same table, `ordersByBillingAddress`.
 */
function inverseName(link: Link, links: readonly Link[], taken: UniqueNames): string {
  const { owner, target, way, isOnly } = link;
  const words = wordsOf(owner.table.name);
  const base = lowerCamel(isOnly ? singular(words) : plural(words)) || 'rows';
  const by = `${base}By${capitalized(way)}`;
  const ways = links.filter((each) => each.owner === owner && each.target === target);
  const isPlain = ways.length === 1 && owner !== target;
  return taken.takeFirst(isPlain ? [base, by] : [by]);
}
