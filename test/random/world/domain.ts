/**
 * The shape of a random domain: entities, their properties and relations, and where they are stored.
 */

/** The types of which there are arrays. */
export const itemTypes = [
  'integer',
  'decimal',
  'number',
  'string',
  'boolean',
  'dateTime',
  'date',
  'time',
  'uuid',
  'interval',
  'inet',
] as const;

export type ItemType = (typeof itemTypes)[number];
/** The schema file calls an `enum` a string with an enum. */
export type ScalarType = ItemType | 'binary' | 'json' | 'xml' | 'any' | 'enum';
export type ArrayType = `${ItemType}[]`;
export type PropertyType = ScalarType | ArrayType;

/** The values of the only enum, in their order. They differ in more than case and accents. */
export const enumValues: readonly string[] = ['sad', "O'K", 'a%b', 'banana', 'Zoë', 'high 5'];

/** The type of the items of an array; undefined for other types. */
export function itemTypeOf(type: PropertyType): ItemType | undefined {
  return itemTypes.find((each) => type === `${each}[]`);
}

/** An expression over a row. */
export interface RowExpression {
  /** As in the schema file. */
  readonly text: string;
  /** As a lambda without templates. */
  readonly form: string;
}

export interface Property {
  readonly name: string;
  readonly type: PropertyType;
  readonly required: boolean;
  readonly autoIncrement?: boolean;
  /** The maximum length of a string. */
  readonly length?: number | undefined;
  /** Whether an integer has 64 bits. */
  readonly isLong?: boolean;
  /** The most digits of a decimal, and how many of them are after the point. */
  readonly digits?: { readonly precision: number; readonly scale: number };
  /** A literal, as in the schema file. */
  readonly default?: string | number | boolean;
  /** A default that Rowgate evaluates for each row. */
  readonly computed?: RowExpression;
  /** What Rowgate stores instead of a value. It may read other values of the same write. */
  readonly writeValue?: RowExpression;
  readonly column: string;
  /** The type of the column in SQL, if it is not the one that `push` creates. */
  readonly columnType?: string;
  /** Whether the column has a domain of PostgreSQL over that type. */
  readonly isOfDomain?: boolean;
  /** The least and the greatest integer. */
  readonly range?: readonly [bigint, bigint];
  /** Whether the column has numbers of single precision. */
  readonly isSingle?: boolean;
}

/** The other properties that a `writeValue` reads. */
export function readBy({ name, writeValue }: Property): readonly string[] {
  const names = writeValue?.form.match(/(?<=\bp\.)\w+/g) ?? [];
  return [...new Set(names)].filter((each) => each !== name);
}

export interface Through {
  readonly entity: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** A relation from its entity to another. */
export interface Relation {
  readonly name: string;
  /** The properties of its entity, and the equally many properties of the other one that equal them. */
  readonly from: readonly string[];
  readonly entity: string;
  readonly to: readonly string[];
  readonly isMany: boolean;
  /** The join table, and its properties that equal `from` and `to`; such a relation is not written. */
  readonly through?: Through;
  /** Whether it is weak, that is, not enforced by the database, so it may lead to missing rows. */
  readonly isWeak: boolean;
  /** Its form in the schema file; undefined for the inverse of another relation. */
  readonly declared?: {
    readonly type: 'oneToMany' | 'manyToOne' | 'oneToOne';
    readonly target?: string;
  };
}

export interface Entity {
  readonly name: string;
  readonly table: string;
  /** Empty for an entity without a key. */
  readonly primaryKey: readonly string[];
  readonly uniqueKey: readonly string[];
  readonly properties: readonly Property[];
  readonly relations: readonly Relation[];
  readonly index?: string;
  /** Conditions that are not false for any row. */
  readonly constraints?: readonly RowExpression[];
  /** The approximate number of rows. */
  readonly size: number;
}

export interface Domain {
  readonly entities: readonly Entity[];
}

export function entityNamed(domain: Domain, name: string): Entity {
  const entity = domain.entities.find((each) => each.name === name);
  if (!entity) throw new Error(`There is no entity ${name}.`);
  return entity;
}
