/** Drafts relations from foreign keys: the names of both directions. */
import { type ExistingForeignKey, type ExistingTable, placeOf } from '../ddl/existing.js';
import { areComparable } from '../schema/derive-relations.js';
import { isKey, nameOrNames } from '../schema/names.js';
import type { DraftProperty, Remark } from './schema-draft.js';
import { UniqueNames } from './unique-names.js';
import { capitalized, lowerCamel, plural, singular, validMember, wordsOf } from './words.js';

export interface DraftTable {
  readonly table: ExistingTable;
  readonly entity: string;
  readonly properties: ReadonlyMap<string, DraftProperty>;
  /** About its columns. */
  readonly remarks: readonly Remark[];
}

/** A table with its relations, which are added one by one. */
export interface RelatedTable extends DraftTable {
  /** The members of each in the schema file. */
  readonly relations: object[];
  /** About its foreign keys. */
  readonly keyRemarks: Remark[];
  /** The names of its properties and relations. */
  readonly names: UniqueNames;
}

/** A foreign key that becomes a relation; its inverse has no name yet. */
interface Link {
  readonly owner: RelatedTable;
  readonly target: RelatedTable;
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
export function draftRelations(drafts: readonly DraftTable[]): readonly RelatedTable[] {
  const tables = drafts.map((each): RelatedTable => {
    const names = new UniqueNames([...each.properties.values()].map(nameOf));
    return { ...each, relations: [], keyRemarks: [], names };
  });
  const schemas = new Set(tables.map(({ table }) => table.schema));
  const byPlace = new Map(tables.map((each) => [placeOf(each.table), each]));
  const links = tables.flatMap((owner) =>
    orderedKeys(owner.table).flatMap((key): Link[] => {
      const target = byPlace.get(placeOf({ schema: key.schema, name: key.table }));
      const found = ends(owner, target, key);
      const place = `${placeOf(owner.table)}.${key.name}`;
      if (target && typeof found !== 'string') {
        const isUnchecked = key.isUnchecked === true;
        if (isUnchecked) owner.keyRemarks.push({ place, why: UNCHECKED, isMapped: true });
        return [{ ...found, owner, target, ...named(owner, target, key), isUnchecked }];
      }
      const why = typeof found === 'string' ? found : '';
      const hint = schemas.has(key.schema)
        ? ''
        : ' The flag --schemas A,B selects the schemas to read.';
      owner.keyRemarks.push({ place, why: why + hint });
      return [];
    }),
  );
  for (const link of links) {
    const { owner, target, from, to, name, isOnly, isUnchecked } = link;
    const type = isOnly ? 'oneToOne' : 'oneToMany';
    const ends = { from: namesOf(from), entity: target.entity, to: namesOf(to) };
    const weak = isUnchecked && { weak: true };
    owner.relations.push({ name, type, ...ends, target: inverseName(link, links), ...weak });
  }
  for (const [one, other] of joinsOf(tables, links)) {
    const { owner, target } = one;
    const [name, inverse] = [nameThrough(other, one), nameThrough(one, other)];
    target.relations.push({
      name,
      type: 'manyToOne',
      from: namesOf(one.to),
      entity: other.target.entity,
      to: namesOf(other.to),
      through: { entity: owner.entity, from: namesOf(one.from), to: namesOf(other.from) },
      target: inverse,
    });
  }
  return tables;
}

/**
 * The two foreign keys of each join table. Together, they are its primary key, or else a unique key, as in tables that
 * number their pairs. Primary keys come first, so that their relations get the shorter names.
 */
function joinsOf(tables: readonly DraftTable[], links: readonly Link[]): readonly [Link, Link][] {
  const byPrimaryKey = (owner: DraftTable) =>
    joinedBy(owner, [owner.table.primaryKey ?? []], links);
  const byUniqueKey = (owner: DraftTable) => {
    const { uniqueKeys, deferrableKeys = [] } = owner.table;
    const isJoined = byPrimaryKey(owner).length > 0;
    return isJoined ? [] : joinedBy(owner, [...uniqueKeys, ...deferrableKeys], links);
  };
  return [...tables.flatMap(byPrimaryKey), ...tables.flatMap(byUniqueKey)];
}

/** The first two foreign keys that together are one of these keys. */
function joinedBy(
  owner: DraftTable,
  keys: readonly (readonly string[])[],
  links: readonly Link[],
): readonly [Link, Link][] {
  const own = links.filter((each) => each.owner === owner);
  const pairs = own.flatMap((one, index) =>
    own.slice(index + 1).map((other): [Link, Link] => [one, other]),
  );
  const named = keys.map((key) =>
    key.flatMap((column) => owner.properties.get(column)?.name ?? []),
  );
  return pairs
    .filter(([one, other]) => {
      const names = [...one.from, ...other.from].map(nameOf);
      return named.some((key) => isKey(key, names));
    })
    .slice(0, 1);
}

/**
 * The name of the relation to the target of `link`: `tags`, or `tagsByItemTag` if that is taken.
 */
function nameThrough(link: Link, from: Link): string {
  const name = lowerCamel(plural(wordsOf(link.name)));
  return takeName(from.target, [name, `${name}By${link.owner.entity}`]);
}

/** The first of the requested names that no member of the table has. */
function takeName({ names }: RelatedTable, wished: readonly string[]): string {
  return names.takeFirst(wished.map(validMember));
}

function nameOf({ name }: DraftProperty): string {
  return name;
}

/** A single name is not in a list. */
function namesOf(properties: readonly DraftProperty[]): string | readonly string[] {
  return nameOrNames(properties.map(nameOf));
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
  if (!isMapped) return `${leads} by a column that is not mapped.`;
  const unlike = from.find(({ type }, index) => !areComparable(type, to[index]?.type ?? type));
  const other = to[unlike ? from.indexOf(unlike) : -1];
  return unlike && other
    ? `${leads} by a column of another type: ${unlike.type} and ${other.type}.`
    : { from, to };
}

function named(
  owner: RelatedTable,
  target: RelatedTable,
  key: ExistingForeignKey,
): Pick<Link, 'name' | 'way' | 'isOnly'> {
  const words = withoutSuffix(wordsOf(telling(key)));
  const targetWords = singular(wordsOf(target.table.name));
  const wished = lowerCamel(words) || lowerCamel(targetWords) || 'parent';
  // A column such as `sold_by` already contains the word: `soldByClerk`.
  const entity = targetWords.map(capitalized).join('');
  const full = capitalized(wished).endsWith(entity) ? wished : `${wished}${entity}`;
  const name = takeName(owner, [wished, full, `${wished}Ref`]);
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
function inverseName(link: Link, links: readonly Link[]): string {
  const { owner, target, way, isOnly } = link;
  const words = wordsOf(owner.table.name);
  const base = lowerCamel(isOnly ? singular(words) : plural(words)) || 'rows';
  const by = `${base}By${capitalized(way)}`;
  const ways = links.filter((each) => each.owner === owner && each.target === target);
  const isPlain = ways.length === 1 && owner !== target;
  return takeName(target, isPlain ? [base, by] : [by]);
}
