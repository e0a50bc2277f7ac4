/**
 * The schema that the engine uses: the domain and the infrastructure, decoded, completed and
 * frozen. Members have their names from the interface document and the schema file.
 */

/** The types of single values, in the order of the documentation. */
export const scalarTypes = [
  'integer',
  'decimal',
  'number',
  'string',
  'boolean',
  'dateTime',
  'date',
  'time',
  'json',
  'uuid',
  'binary',
  'interval',
  'inet',
  'xml',
  'any',
] as const;
export type ScalarType = (typeof scalarTypes)[number];

/** What an array may hold. */
export type ItemType = Exclude<ScalarType, 'json' | 'binary' | 'xml' | 'any'>;
export type ArrayType = `${ItemType}[]`;

export type PropertyType = ScalarType | ArrayType;

/** How many digits a decimal has at most, and how many of them are after the point. */
export interface Digits {
  readonly precision: number;
  readonly scale: number;
}

/** A scalar in a schema file. */
export type SchemaScalar = string | number | boolean | null;

export interface Property {
  readonly name: string;
  readonly type: PropertyType;
  readonly required: boolean;
  /** For people. */
  readonly description?: string;
  /** For strings: the largest number of characters; absent if there is no limit. */
  readonly length?: number;
  /**
   * Set if the schema file has no length: `push` creates columns of that length, and writes are not
   * checked.
   */
  readonly isUsualLength?: true;
  /** For decimals: the digits of the column, which rounds or refuses others; absent if not limited. */
  readonly digits?: Digits;
  /** For integers: `push` makes 64-bit columns of them. The schema file says `bigint`. */
  readonly isLong?: true;
  readonly autoIncrement?: boolean;
  /** A value or, for strings, the text of an expression such as `lower(name)`. */
  readonly default?: SchemaScalar;
  /** The column has a default that the schema does not contain, so an insert can always omit it. */
  readonly databaseDefault?: boolean;
  /** The name of an enum of the domain. */
  readonly enum?: string;
  /** The property is read-only: `readOnly` in the schema file. */
  readonly view?: boolean;
  readonly key?: string;
  readonly readExp?: string;
  readonly readValue?: string;
  readonly writeValue?: string;
  readonly writeExp?: string;
}

export type RelationType = 'oneToMany' | 'manyToOne' | 'oneToOne';

/**
 * A relation, named as in lambdaorm: `oneToMany` and `oneToOne` lead to one row, `manyToOne` to
 * many.
 */
export interface Relation {
  readonly name: string;
  readonly type: RelationType;
  /**
   * The properties that the relation starts from, and the equally many properties of the entity
   * that they refer to.
   */
  readonly from: readonly string[];
  readonly entity: string;
  readonly to: readonly string[];
  /** Set if it leads through a join table. Such a relation is read-only. */
  readonly through?: Through;
  readonly target?: string;
  readonly weak: boolean;
  /** For `manyToOne`: whether the rows are parts of this entity. */
  readonly composite?: boolean;
  /** Present if another entity's relation created it by its `target`. */
  readonly isInverse?: true;
}

/**
 * The entity of a join table, and the properties of it that equal `from` and `to` of the relation.
 */
export interface Through {
  readonly entity: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
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
  /** For people. */
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
  /** The entity is read-only: `readOnly` in the schema file. The interface does not show it. */
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
  /** The column, as written in the schema file (`dialects/table-name.ts` quotes it). */
  readonly mapping: string;
  readonly readMappingExp?: string;
}

export interface MappingEntity extends Omit<Entity, 'properties'> {
  /** The table, as written in the schema file. */
  readonly mapping: string;
  readonly properties: readonly MappingProperty[];
  readonly filter?: string;
  /** Whether a property has a `key`. */
  readonly hadKeys: boolean;
}

export interface Mapping {
  readonly name: string;
  readonly entities: readonly MappingEntity[];
}

/** The supported databases. */
export const dialectNames = ['PostgreSQL', 'MySQL', 'MariaDB'] as const;
export type DialectName = (typeof dialectNames)[number];

/** The options of TLS, named as in Node.js; certificates and keys are PEM texts. */
export interface Tls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
  readonly minVersion?: TlsVersion;
  readonly maxVersion?: TlsVersion;
  /** The list of ciphers in OpenSSL's format. */
  readonly ciphers?: string;
}

export const tlsVersions = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const;
export type TlsVersion = (typeof tlsVersions)[number];

/** How to reach a database: `url`, over whose parts the other members take precedence. */
export interface Connection {
  readonly url?: string;
  /** The path of a Unix socket if it begins with `/`. */
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly ssl?: boolean | Tls;
  /** Whether the public key that encrypts the password may come from the server itself (MySQL). */
  readonly allowPublicKeyRetrieval?: boolean;
}

export interface Source {
  readonly name: string;
  readonly dialect: DialectName;
  /** The name of its mapping, which the interface does not show. */
  readonly mapping: string;
  /** Set if it names no mapping and has the first, although another one is called `default`. */
  readonly passesDefaultMapping?: true;
  readonly connection: Connection;
}

export interface StageSource {
  readonly name: string;
  readonly condition?: string;
}

export interface Stage {
  readonly name: string;
  /** The only view under which the stage is served. */
  readonly view?: string;
  readonly sources: readonly StageSource[];
}

export interface ViewProperty {
  readonly name: string;
  readonly exclude?: boolean;
  readonly readExp?: string;
}

export interface ViewEntity extends ViewProperty {
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

/** A complete schema. Plain cloneable data. */
export interface Schema {
  readonly version: string;
  readonly domain: Domain;
  readonly mappings: readonly Mapping[];
  readonly sources: readonly Source[];
  readonly stages: readonly Stage[];
  readonly views: readonly View[];
  readonly listeners: readonly Listener[];
}
