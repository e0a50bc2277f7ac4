/**
 * A schema drafted from a database: the content of a schema file, and remarks about what it leaves
 * out.
 */
import type { Digits, PropertyType, RelationType, SchemaScalar, Through } from '../schema/model.js';

export interface SchemaDraft {
  readonly entities: readonly DraftEntity[];
  readonly enums: readonly DraftEnum[];
  /** The parts of the database that could not be mapped, in the order of the tables. */
  readonly remarks: readonly Remark[];
}

/** A part of the database that the schema leaves out, and why. */
export interface Remark {
  /** The name in the database: `billing.invoice.search`. */
  readonly place: string;
  /** A sentence. */
  readonly why: string;
}

export interface DraftEnum {
  readonly name: string;
  readonly values: readonly string[];
}

export interface DraftEntity {
  readonly name: string;
  /** The table, as written in the schema file. */
  readonly mapping: string;
  readonly description?: string;
  readonly readOnly: boolean;
  readonly primaryKey: readonly string[];
  readonly uniqueKey: readonly string[];
  readonly indexes: readonly (readonly string[])[];
  readonly properties: readonly DraftProperty[];
  readonly relations: readonly DraftRelation[];
  readonly remarks: readonly Remark[];
}

export interface DraftProperty {
  readonly name: string;
  /** The column, as written in the schema file. */
  readonly mapping: string;
  readonly description?: string;
  readonly type: PropertyType;
  /** For texts; undefined if the column has no limit. */
  readonly length?: number;
  readonly digits?: Digits;
  /** Whether its integers need 64 bits. */
  readonly isLong?: true;
  readonly required: boolean;
  readonly autoIncrement: boolean;
  readonly readOnly: boolean;
  readonly default?: SchemaScalar;
  /** Whether the column has a default that the schema cannot express. */
  readonly databaseDefault: boolean;
  readonly enum?: string;
}

export interface DraftRelation {
  readonly name: string;
  readonly type: RelationType;
  readonly from: readonly string[];
  readonly entity: string;
  readonly to: readonly string[];
  readonly through?: Through;
  /** The name of the inverse relation. */
  readonly target: string;
}
