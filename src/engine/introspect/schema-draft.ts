/**
 * A schema drafted from a database: the content of a schema file, and remarks about what it leaves
 * out.
 */
import type { Entity, Property, Relation } from '../schema/model.js';
import type { MappedType } from './column-types.js';

export interface SchemaDraft {
  readonly entities: readonly DraftEntity[];
  readonly enums: readonly DraftEnum[];
  /** The parts of the database that could not be mapped, in the order of the tables. */
  readonly remarks: readonly Remark[];
}

/** A part of the database that the schema leaves out, or that it maps with a limit, and why. */
export interface Remark {
  /** The name in the database: `billing.invoice.search`. */
  readonly place: string;
  /** A sentence. */
  readonly why: string;
  /** Set if the part is mapped. */
  readonly isMapped?: true;
}

export interface DraftEnum {
  readonly name: string;
  readonly values: readonly string[];
}

export interface DraftEntity
  extends Pick<Entity, 'name' | 'description' | 'primaryKey' | 'uniqueKey'> {
  /** The table, as written in the schema file. */
  readonly mapping: string;
  readonly readOnly: boolean;
  readonly indexes: readonly (readonly string[])[];
  readonly properties: readonly DraftProperty[];
  readonly relations: readonly DraftRelation[];
  readonly remarks: readonly Remark[];
}

export interface DraftProperty
  extends MappedType,
    Pick<Property, 'name' | 'description' | 'required' | 'default' | 'enum'> {
  /** The column, as written in the schema file. */
  readonly mapping: string;
  readonly autoIncrement: boolean;
  readonly readOnly: boolean;
  /** Whether the column has a default that the schema cannot express. */
  readonly databaseDefault: boolean;
}

export interface DraftRelation
  extends Pick<Relation, 'name' | 'type' | 'from' | 'entity' | 'to' | 'through'> {
  /** The name of the inverse relation. */
  readonly target: string;
  /** Set if rows may refer to rows that do not exist. */
  readonly weak?: true;
}
