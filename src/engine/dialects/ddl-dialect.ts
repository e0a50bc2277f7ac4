/** What differs between the databases when tables are made. */
import type { PropertyType, SchemaScalar } from '../schema/model.js';
import type { PropertyTypes } from './property-types.js';

/** One database's way; see `postgresql-ddl.ts` and `mysql-ddl.ts`. */
export interface DdlDialect {
  /** A name of the schema file as it stands in SQL. */
  readonly quoteName: (mapping: string) => string;
  /** A stored name as it stands in SQL, to the letter. */
  readonly quoteStored: (name: string) => string;
  /** The name that the catalog gives to a name of the schema file. */
  readonly storedName: (mapping: string) => string;
  /** A stored name, as the database reports it, in the form in which two of them compare. */
  readonly columnKey: (stored: string) => string;
  /** The type, and how the database numbers the rows when the column is autoIncrement. */
  readonly columnType: (column: ColumnDefinition) => string;
  /** The type that a property has for a column that is there. */
  readonly propertyTypes: PropertyTypes;
  /** Whether a boolean is a number of any width. */
  readonly booleansAreNumbers: boolean;
  /** The text in which the database takes a canonical scalar text. */
  readonly scalar: (text: string, type: PropertyType) => string;
  /** A text literal. */
  readonly text: (value: string) => string;
  /** What stands for `now()`, `today()` and `curTime()` in a DEFAULT clause. */
  readonly moments: Readonly<Record<'now' | 'today' | 'curTime', string>>;
  /** Whether a DEFAULT may stand without parentheses whatever the type. */
  readonly hasBareDefaults: boolean;
  /** What follows the closing parenthesis of CREATE TABLE; of the database's collation, if known. */
  readonly tableSuffix: (collation: string | undefined) => string;
  /** A column of an index among the others of it, as it stands in CREATE INDEX. */
  readonly indexedColumn: (column: ColumnDefinition, all: readonly ColumnDefinition[]) => string;
  /** Whether an autoIncrement column must be the first of a key. */
  readonly numbersKeys: boolean;
  /** What follows a foreign key. */
  readonly foreignKeySuffix: string;
  /** Whether a foreign key brings its index along. */
  readonly indexesForeignKeys: boolean;
  /** The word that drops a foreign key from a table. */
  readonly dropForeignKey: string;
  /** Of a temporary table: the type of its long texts, and what follows its closing parenthesis. */
  readonly temporaryTable: { readonly textType: string; readonly suffix: string };
}

/** A column to be. */
export interface ColumnDefinition {
  readonly name: string;
  readonly key: string;
  readonly type: PropertyType;
  readonly length: number | undefined;
  readonly required: boolean;
  readonly autoIncrement: boolean;
  readonly default: SchemaScalar | undefined;
}
