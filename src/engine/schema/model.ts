/**
 * The schema as the engine holds it: the domain and the infrastructure, decoded, completed and
 * frozen. Members are named as in the interface document and the schema file.
 */

export type PropertyType =
  | 'integer'
  | 'decimal'
  | 'number'
  | 'string'
  | 'boolean'
  | 'dateTime'
  | 'date'
  | 'time'
  | 'json'
  | 'any';

/** A scalar of a schema file. */
export type SchemaScalar = string | number | boolean | null;

export interface Property {
  readonly name: string;
  readonly type: PropertyType;
  readonly required: boolean;
  /** What it is, for people. */
  readonly description?: string;
  /** Of strings: the greatest number of characters; absent where there is no limit. */
  readonly length?: number;
  readonly autoIncrement?: boolean;
  /** A value, or the text of an expression: of a string, a call of a function (`lower(name)`). */
  readonly default?: SchemaScalar;
  /** The column has a default of its own: an insert may leave it out, whether it is required or not. */
  readonly databaseDefault?: boolean;
  /** The name of an enum of the domain. */
  readonly enum?: string;
  /** Read, and never written: `readOnly` of the schema file. */
  readonly view?: boolean;
  readonly key?: string;
  readonly readExp?: string;
  readonly readValue?: string;
  readonly writeValue?: string;
  readonly writeExp?: string;
}

export type RelationType = 'oneToMany' | 'manyToOne' | 'oneToOne';

/**
 * A relation. The words are lambdaorm's: `oneToMany` and `oneToOne` lead to one row, `manyToOne`
 * leads to many.
 */
export interface Relation {
  readonly name: string;
  readonly type: RelationType;
  /** The properties that lead to it, and those of the entity that they are equal to: as many. */
  readonly from: readonly string[];
  readonly entity: string;
  readonly to: readonly string[];
  readonly target?: string;
  readonly weak: boolean;
  /** Present on `manyToOne`: whether the rows are parts of this entity. */
  readonly composite?: boolean;
  /** Present where another entity's relation made it by its `target`. */
  readonly isInverse?: true;
}

export interface Index {
  readonly name: string;
  readonly fields: readonly string[];
}

export interface Dependent {
  readonly entity: string;
  readonly relation: Relation;
}

export interface Constraint {
  readonly message: string;
  readonly condition: string;
}

export interface Entity {
  readonly name: string;
  /** What it is, for people. */
  readonly description?: string;
  readonly primaryKey: readonly string[];
  readonly uniqueKey: readonly string[];
  readonly properties: readonly Property[];
  readonly required: readonly string[];
  readonly indexes: readonly Index[];
  readonly relations: readonly Relation[];
  readonly dependents: readonly Dependent[];
  readonly constraints: readonly Constraint[];
  readonly composite: boolean;
  readonly hadReadExps: boolean;
  readonly hadWriteExps: boolean;
  readonly hadReadValues: boolean;
  readonly hadWriteValues: boolean;
  readonly hadDefaults: boolean;
  readonly hadViewReadExp: boolean;
  /** Read, and never written: `readOnly` of the schema file. Not part of the interface's descriptions. */
  readonly view: boolean;
}

export interface EnumValue {
  readonly name: string;
  readonly value: SchemaScalar;
}

export interface Enum {
  readonly name: string;
  readonly values: readonly EnumValue[];
}

export interface Domain {
  readonly version: string;
  readonly entities: readonly Entity[];
  readonly enums: readonly Enum[];
}

export interface MappingProperty extends Property {
  /** The column, as written in the schema file (see `sql/dialect` for quoting). */
  readonly mapping: string;
  readonly readMappingExp?: string;
}

export interface MappingEntity extends Omit<Entity, 'properties'> {
  /** The table, as written in the schema file. */
  readonly mapping: string;
  readonly properties: readonly MappingProperty[];
  readonly filter?: string;
  /** True when a property has a `key`. */
  readonly hadKeys: boolean;
}

export interface Mapping {
  readonly name: string;
  readonly entities: readonly MappingEntity[];
}

/** The databases that a source may be on. */
export const dialectNames = ['PostgreSQL', 'MySQL', 'MariaDB'] as const;
export type DialectName = (typeof dialectNames)[number];

/** How to reach a database; `url` alone, or the parts. */
export interface Connection {
  readonly url?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly ssl?: boolean | Readonly<Record<string, unknown>>;
}

export interface Source {
  readonly name: string;
  readonly dialect: DialectName;
  /** The name of its mapping; descriptions of the interface leave it out. */
  readonly mapping: string;
  readonly connection: Connection;
}

export interface StageSource {
  readonly name: string;
  readonly condition?: string;
}

export interface Stage {
  readonly name: string;
  /** The view under which the stage is served, whatever is asked for. */
  readonly view?: string;
  readonly sources: readonly StageSource[];
}

export interface ViewProperty {
  readonly name: string;
  readonly exclude?: boolean;
  readonly readExp?: string;
}

export interface ViewEntity {
  readonly name: string;
  readonly exclude?: boolean;
  readonly readExp?: string;
  readonly properties: readonly ViewProperty[];
}

export interface View {
  readonly name: string;
  readonly entities: readonly ViewEntity[];
}

export interface Listener {
  readonly name: string;
  readonly on: readonly ('select' | 'insert' | 'update' | 'delete')[];
  readonly condition?: string;
  readonly before?: string;
  readonly after?: string;
  readonly error?: string;
}

/** A whole schema file, decoded and completed. Plain cloneable data. */
export interface Schema {
  readonly version: string;
  readonly domain: Domain;
  readonly mappings: readonly Mapping[];
  readonly sources: readonly Source[];
  readonly stages: readonly Stage[];
  readonly views: readonly View[];
  readonly listeners: readonly Listener[];
}
