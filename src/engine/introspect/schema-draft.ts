/**
 * A schema drafted from a database: the content of a schema file, and remarks about what it leaves
 * out.
 */
import type { PropertyType } from '../schema/model.js';

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

export interface DraftEntity {
  /** Its members in the schema file. */
  readonly content: object;
  /** Its members in the mapping of the schema file. */
  readonly mapping: object;
  readonly isReadOnly: boolean;
  readonly remarks: readonly Remark[];
}

export interface DraftProperty {
  readonly name: string;
  readonly type: PropertyType;
  /** The column, as written in the schema file. */
  readonly mapping: string;
  /** Its members in the schema file. */
  readonly content: object;
}
