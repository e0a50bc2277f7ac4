/** The shape of a random domain: entities, their properties and relations, and where they are stored. */

export type PropertyType =
  | 'integer'
  | 'decimal'
  | 'number'
  | 'string'
  | 'boolean'
  | 'dateTime'
  | 'date'
  | 'time'
  | 'any';

export interface Property {
  readonly name: string;
  readonly type: PropertyType;
  readonly required: boolean;
  readonly autoIncrement?: boolean;
  /** Of strings: the greatest number of letters. */
  readonly length?: number;
  /** A literal as the schema file has it. */
  readonly default?: string | number | boolean;
  readonly column: string;
}

/** A relation as it can be followed from its entity. */
export interface Relation {
  readonly name: string;
  readonly from: string;
  readonly entity: string;
  readonly to: string;
  readonly isMany: boolean;
  /** Whether the database holds it: a weak one may lead to rows that are not there. */
  readonly isWeak: boolean;
  /** How the schema file has it; undefined for the inverse of another one. */
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
  /** How many rows it is to have, about. */
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
