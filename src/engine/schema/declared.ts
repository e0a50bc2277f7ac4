/**
 * A schema as declared in a file: decoded, but not yet completed by inheritance and defaults, nor
 * checked as a whole. Each declaration keeps its node, so later phases can name its place.
 */
import type { DocumentNode } from './document.js';
import type {
  Constraint,
  Enum,
  Index,
  Listener,
  Property,
  Relation,
  Source,
  Stage,
  View,
} from './model.js';

export interface Declared<Value> {
  readonly node: DocumentNode;
  readonly value: Value;
}

/** The members of a property, all optional. */
export type PropertyMembers = Partial<Omit<Property, 'name'>>;

export interface DeclaredProperty {
  readonly name: string;
  readonly node: DocumentNode;
  readonly members: PropertyMembers;
  /** Whether it belongs to the primary key of an entity that lists none. */
  readonly primaryKey?: boolean;
}

export interface DeclaredRelation extends Omit<Relation, 'isInverse'> {
  readonly node: DocumentNode;
  /** Whether the rows of the inverse relation are parts, whatever the names say. */
  readonly targetComposite?: boolean;
}

/** `node`: the list of its fields. */
export interface DeclaredIndex extends Index {
  readonly node: DocumentNode;
}

/** A declaration that can extend another one. */
export interface Extendable {
  readonly name: string;
  readonly node: DocumentNode;
  readonly extends?: string;
}

export interface DeclaredEnum extends Extendable, Enum {
  readonly abstract: boolean;
}

export interface DeclaredEntity extends Extendable {
  readonly description?: string;
  readonly abstract: boolean;
  readonly view?: boolean;
  readonly primaryKey?: Declared<readonly string[]>;
  readonly uniqueKey?: Declared<readonly string[]>;
  /** Properties that are required unless they say otherwise. */
  readonly required?: Declared<readonly string[]>;
  readonly properties: readonly DeclaredProperty[];
  readonly indexes: readonly DeclaredIndex[];
  readonly relations: readonly DeclaredRelation[];
  readonly constraints: readonly Constraint[];
}

export interface DeclaredMappingProperty extends DeclaredProperty {
  readonly mapping?: string;
  readonly readMappingExp?: string;
}

export interface DeclaredMappingEntity extends Extendable {
  readonly abstract?: boolean;
  readonly mapping?: string;
  /** Repeats `view` of the entity. */
  readonly view?: boolean;
  readonly filter?: string;
  readonly properties: readonly DeclaredMappingProperty[];
}

export interface DeclaredMapping extends Extendable {
  readonly entities: readonly DeclaredMappingEntity[];
}

export interface DeclaredSource extends Omit<Source, 'mapping'> {
  readonly node: DocumentNode;
  readonly mapping?: string;
}

export interface DeclaredSchema {
  readonly version: string;
  readonly enums: readonly DeclaredEnum[];
  readonly entities: readonly DeclaredEntity[];
  readonly mappings: readonly DeclaredMapping[];
  readonly sources: readonly DeclaredSource[];
  readonly stages: readonly Declared<Stage>[];
  readonly views: readonly Declared<View>[];
  readonly listeners: readonly Listener[];
}
