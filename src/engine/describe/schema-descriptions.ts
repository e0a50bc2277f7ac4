/**
 * The shapes of the answers of the schema endpoints, with their members in the order of the interface
 * document.
 */
import type {
  Constraint,
  Enum,
  Index,
  PropertyType,
  RelationType,
  SchemaScalar,
} from '../schema/model.js';

export interface PropertyDescription {
  readonly name: string;
  /** The column; only in the description of a mapping. */
  readonly mapping?: string;
  readonly type: PropertyType;
  readonly required: boolean;
  readonly length?: number;
  readonly autoIncrement?: boolean;
  readonly default?: SchemaScalar;
  readonly enum?: string;
  readonly description?: string;
  /** An insert can omit it: the column has a default, or the entity's `key` is its value. */
  readonly databaseDefault?: boolean;
  readonly readOnly?: boolean;
}

export interface RelationDescription {
  readonly name: string;
  readonly type: RelationType;
  readonly from: string | readonly string[];
  readonly to: string | readonly string[];
  readonly entity: string;
  /** For a relation through a join table, that table's entity and its properties. */
  readonly through?: {
    readonly entity: string;
    readonly from: string | readonly string[];
    readonly to: string | readonly string[];
  };
  readonly target?: string;
  readonly weak: boolean;
  readonly composite?: boolean;
}

export interface EntityDescription {
  readonly name: string;
  readonly description?: string;
  readonly readOnly?: true;
  readonly primaryKey: readonly string[];
  readonly uniqueKey: readonly string[];
  readonly properties: readonly PropertyDescription[];
  readonly required: readonly string[];
  readonly indexes: readonly Index[];
  readonly relations: readonly RelationDescription[];
  readonly dependents: readonly {
    readonly entity: string;
    readonly relation: RelationDescription;
  }[];
  readonly constraints: readonly Constraint[];
  readonly composite: boolean;
  readonly hadReadExps: boolean;
  readonly hadWriteExps: boolean;
  readonly hadReadValues: boolean;
  readonly hadWriteValues: boolean;
  readonly hadDefaults: boolean;
  readonly hadViewReadExp: boolean;
}

export interface MappingEntityDescription extends EntityDescription {
  /** The table. */
  readonly mapping: string;
  readonly hadKeys: boolean;
}

export interface DomainDescription {
  readonly version: string;
  readonly entities: readonly EntityDescription[];
  readonly enums: readonly Enum[];
}

export interface SchemaDescription {
  readonly version: string;
  readonly domain: DomainDescription;
}

export interface SourceDescription {
  readonly name: string;
  readonly dialect: string;
}

export interface MappingDescription {
  readonly name: string;
  readonly entities: readonly MappingEntityDescription[];
}

export interface StageDescription {
  readonly name: string;
  readonly sources: readonly { readonly name: string }[];
}
