/** The differences between databases in creating tables. */
import type { Digits, PropertyType, SchemaScalar } from '../schema/model.js';
import type { ExpressionDialect } from './expression-dialect.js';
import type { PropertyTypes } from './property-types.js';

/** Implemented in `postgresql/ddl.ts` and `mysql/ddl.ts`. */
export interface DdlDialect
  extends Pick<ExpressionDialect, 'quoteName' | 'quoteAlias' | 'storedName' | 'scalar'> {
  /** The form of a stored name in which names are compared. */
  readonly columnKey: (stored: string) => string;
  /** The SQL type of a column, with the clause that generates its values if it is autoIncrement. */
  readonly columnType: (column: ColumnDefinition) => string;
  /** The SQL type of a column that refers to an existing one. */
  readonly typeOfReference: (existing: ReferredColumn) => string;
  /** Whether an enumerated type can have these values. */
  readonly acceptsEnum: (values: readonly string[]) => boolean;
  /** Creates a schema, given by its stored name, unless it exists; absent if `push` does not create any. */
  readonly createSchema?: (stored: string) => string;
  /** Creates an enumerated type unless it exists; absent if such types belong to their columns. */
  readonly createEnum?: (definition: EnumDefinition) => string;
  /** Drops an enumerated type unless something uses it. */
  readonly dropEnum?: (definition: EnumDefinition) => string;
  /** The stored names that an enumerated type cannot have, because they mean other types; none if it has no name. */
  readonly builtInTypes: ReadonlySet<string>;
  /** The property types for the types of existing columns. */
  readonly propertyTypes: PropertyTypes;
  /** Whether the integers of an existing column need more than 32 bits. */
  readonly isLong: (column: { readonly type: string; readonly declared: string }) => boolean;
  /** Whether a boolean column is a number of any width. */
  readonly booleansAreNumbers: boolean;
  /** A string literal. */
  readonly text: (value: string) => string;
  /** The SQL of these calls in a DEFAULT clause. */
  readonly moments: Readonly<Record<'now()' | 'today()' | 'curTime()', string>>;
  /** Whether any DEFAULT can be written without parentheses. */
  readonly hasBareDefaults: boolean;
  /**
   * The text after the closing parenthesis of CREATE TABLE, with the database's collation if it is
   * known.
   */
  readonly tableSuffix: (collation: string | undefined) => string;
  /** A column in CREATE INDEX, given all columns of the index. */
  readonly indexedColumn: (column: ColumnDefinition, all: readonly ColumnDefinition[]) => string;
  readonly canIndex: (column: ColumnDefinition) => boolean;
  /** Whether a primary or foreign key can have these columns. */
  readonly fitsKey: (columns: readonly ColumnDefinition[]) => boolean;
  /** Whether a unique key can have any columns. */
  readonly hashesUniqueKeys: boolean;
  /** Whether an autoIncrement column must be the first of a key. */
  readonly numbersKeys: boolean;
  /** The text after a foreign key. */
  readonly foreignKeySuffix: string;
  /** Whether a foreign key creates an index. */
  readonly indexesForeignKeys: boolean;
  /** The keyword that drops a foreign key from a table. */
  readonly dropForeignKey: string;
  /** Whether the database shows tables only to users with a right on them. */
  readonly hidesTables: boolean;
  /** Rights that are not on tables; absent if the database has none that requests need. */
  readonly otherRights?: OtherRights;
  /** For a temporary table: the type of long strings, and the text after the closing parenthesis. */
  readonly temporaryTable: { readonly textType: string; readonly suffix: string };
}

/** Statements without an effect that need a right. The table is a string literal that contains its SQL. */
export interface OtherRights {
  readonly ofSchema: (table: string) => string;
  /** The rights on the sequence that numbers a column, whose stored name is the string literal. */
  readonly ofSequence: Readonly<Record<string, (table: string, column: string) => string>>;
}

/** An existing column of a key, as the database displays it. */
export interface ReferredColumn {
  readonly declared: string;
  readonly collation?: string;
}

/** An enumerated type of strings. */
export interface EnumDefinition {
  /** The name of the type, as a name of the schema file. */
  readonly name: string;
  readonly values: readonly string[];
}

/** A column to create. */
export interface ColumnDefinition {
  readonly name: string;
  readonly key: string;
  /** Its SQL type, if that does not follow from the property. */
  readonly sqlType?: string | undefined;
  readonly type: PropertyType;
  /** Whether its integers have 64 bits. */
  readonly isLong: boolean;
  readonly length: number | undefined;
  readonly digits?: Digits | undefined;
  /** Its enumerated type, if it has one instead of `type`. */
  readonly enum: EnumDefinition | undefined;
  readonly required: boolean;
  /** Whether Rowgate never writes the column. */
  readonly isReadOnly?: boolean;
  /** Whether its default is known only to the database in which the column already exists. */
  readonly isFilledIn?: boolean;
  /** Whether it is in a key, a foreign key or an index of its table. */
  readonly isInKey?: boolean;
  readonly autoIncrement: boolean;
  readonly default: SchemaScalar | undefined;
}
