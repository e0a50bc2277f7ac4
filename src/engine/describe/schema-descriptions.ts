/**
 * The shapes of the answers of the schema endpoints, with their members in the order of the interface
 * document.
 */
import type { Entity, Enum, Property, Relation, Through } from '../schema/model.js';

type Described =
  | 'name'
  | 'type'
  | 'required'
  | 'length'
  | 'autoIncrement'
  | 'default'
  | 'enum'
  | 'description';

export interface PropertyDescription extends Pick<Property, Described> {
  /** The column; only in the description of a mapping. */
  readonly mapping?: string;
  /** An insert can omit it: the column has a default, or the entity's `key` is its value. */
  readonly databaseDefault?: boolean;
  readonly readOnly?: boolean;
}

/** The ends of a relation. A single name is not in a list. */
interface Ends {
  readonly from: string | readonly string[];
  readonly to: string | readonly string[];
}

export interface RelationDescription
  extends Omit<Relation, keyof Ends | 'through' | 'isInverse'>,
    Ends {
  /** For a relation through a join table, that table's entity and its properties. */
  readonly through?: Pick<Through, 'entity'> & Ends;
}

type Projected = 'properties' | 'relations' | 'dependents' | 'view';

export interface EntityDescription extends Omit<Entity, Projected> {
  readonly readOnly?: true;
  readonly properties: readonly PropertyDescription[];
  readonly relations: readonly RelationDescription[];
  readonly dependents: readonly {
    readonly entity: string;
    readonly relation: RelationDescription;
  }[];
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
