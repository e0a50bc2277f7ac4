/**
 * The compiled form of a query expression: frozen plain data, which is cached, cloned between
 * threads, executed and described. Closures are built from it once in each thread.
 */
import type { Position } from './errors.js';
import type { Write } from './compiled-write.js';
import type { Expression } from './language/ast.js';
import type { DialectName, PropertyType } from './schema/model.js';

/** A scalar type, or a list of scalars (`[integer]`). */
export type ValueType = PropertyType | `[${PropertyType}]`;

/** The meaning of a placeholder of a statement, in the order of `$1`, `$2`, … */
export type Argument =
  /** A value of the data at `path` (`["entity", "name"]` for `entity.name`). */
  | {
      readonly kind: 'parameter';
      readonly path: readonly string[];
      readonly type: ValueType;
      /** Set if the value is sent as its JSON text. */
      readonly isJson?: true;
      /** Whether the database reads it as a decimal, whose digits are limited. */
      readonly isBounded?: true;
    }
  /** A literal of the expression, as canonical text. */
  | { readonly kind: 'literal'; readonly text: string; readonly type: PropertyType }
  /** The value of a property after its `writeValue`. */
  | { readonly kind: 'changed'; readonly property: string; readonly type: PropertyType }
  /** The instant of the request, or its date or time of day. */
  | { readonly kind: 'instant'; readonly type: 'dateTime' | 'date' | 'time' }
  /**
   * The keys of the parent rows as one array. For a delete, `column` is a column of the locked rows. With
   * `parts`, the types of a key of several columns, each key is the JSON text of a list of texts.
   */
  | {
      readonly kind: 'parentKeys';
      readonly type: PropertyType;
      readonly column?: number;
      readonly parts?: readonly PropertyType[];
    }
  | { readonly kind: 'count'; readonly count: Count }
  /** The number of rows before a page, and up to its end. */
  | { readonly kind: 'pageStart' | 'pageEnd'; readonly page: Count; readonly size: Count };

/** A whole number in the expression or the data. */
export type Count =
  | { readonly kind: 'literal'; readonly value: number }
  | { readonly kind: 'parameter'; readonly path: readonly string[] };

/** A column of a statement, in the order of its SELECT list. */
export interface Column {
  readonly name: string;
  readonly type: PropertyType;
  /** `value`: in the answer. `key`: `__id`, `__x`. `parent`: `ServiceParentId`. */
  readonly role: 'value' | 'key' | 'parent';
  /** Set if Rowgate computes the answered value from that of the database. */
  readonly read?: ColumnRead;
  /** Set if the database sends the JSON text of a value of the data. */
  readonly isJson?: true;
}

/** An expression over columns of the same row. */
export interface ColumnRead {
  readonly entity: string;
  readonly property: string;
  readonly expression: Expression;
  /** The names that it reads, each with the index of its column. */
  readonly inputs: readonly {
    readonly name: string;
    readonly column: number;
    readonly type: PropertyType;
  }[];
}

/** A parameter of the query with its inferred type. */
export interface Parameter {
  /** The dotted path (`entity.name`). */
  readonly name: string;
  readonly type: ValueType;
  /** Enums that must each have its value, or each of its items. */
  readonly enums?: readonly EnumValues[];
  /** Whether it is a string because it is compared with a part of JSON. */
  readonly isOfJson?: true;
  /** Whether it is compared with another parameter, so that each of them affects the other's type. */
  readonly isCompared?: true;
}

/** An enum, and the texts of its values. */
export interface EnumValues {
  readonly name: string;
  readonly values: readonly string[];
}

/** An included relation: its statement, and how its rows are assigned to their parents. */
export interface Include {
  readonly relation: string;
  /** `many`: an array under the relation's name. `one`: an object or null. */
  readonly cardinality: 'one' | 'many';
  /** The index, in the parent's columns, of the key that the child returns as ServiceParentId. */
  readonly parentKeyColumn: number;
  /** Set if the keys of two parents may be equal to the source of the children although their texts differ. */
  readonly hasEqualParents?: true;
  readonly statement: StatementPlan;
}

/** One statement of the plan with its description. */
export interface StatementPlan {
  readonly entity: string;
  readonly alias: string;
  /** The position of the statement for `/metadata`, counted from 0. */
  readonly position: Position;
  readonly clause: 'select' | 'insert' | 'update' | 'upsert' | 'delete';
  readonly source: string;
  readonly dialect: DialectName;
  /** The SQL text. */
  readonly text: string;
  /**
   * The text for display, if it differs: it masks what the view hides, and shows `IN` for `= ANY`.
   */
  readonly displayed?: string;
  readonly columns: readonly Column[];
  /** The parameters of this statement, in the order of the text. */
  readonly parameters: readonly Parameter[];
  readonly arguments: readonly Argument[];
  readonly includes: readonly Include[];
  /** For a statement that writes: how the rows in the data become statements. */
  readonly write?: Write;
}

/** How waiting requests of one plan can run as one statement. */
export interface BatchStatements {
  /** Absent if the database has no such statement. */
  readonly derivedTable?: DerivedTableStatement;
  /** Better, if the database considers keys equal exactly when their texts are. */
  readonly inList?: InListStatement;
  /** For databases without derived tables of arguments. */
  readonly union?: UnionStatement;
  /** Better, if the filter compares a column with a string. */
  readonly joinedKeys?: JoinedKeysStatement;
}

/** The filter is an equality of a column with one parameter: the statement takes a list of keys. */
export interface InListStatement {
  readonly text: string;
  /** The list of keys is the argument of kind `parentKeys`. */
  readonly arguments: readonly Argument[];
  /** The dotted name of the parameter with a request's key. */
  readonly parameter: string;
  readonly type: PropertyType;
  /**
   * The index of the column by which rows are assigned to the requests. For integers, it comes
   * after the columns of the statement.
   */
  readonly keyColumn: number;
}

/**
 * Any other read: the plan's statement, once for each row of a derived table of arguments. The
 * number of the row, from 1, comes after the columns of the statement.
 */
export interface DerivedTableStatement {
  /** The text in pieces, between which the SQL types of the arguments are written. */
  readonly pieces: readonly string[];
  /** Arguments that become one list each; they are the first placeholders. */
  readonly listed: readonly Argument[];
  /** Arguments with the same value for all requests: the placeholders after the lists. */
  readonly shared: readonly Argument[];
  /** For each listed argument, its index among the arguments of the plan's own statement. */
  readonly origins: readonly number[];
}

/**
 * Any other read on databases without LATERAL: the plan's statement, once for each request, joined
 * by UNION ALL. The number of the request, from 1, comes after its columns.
 */
export interface UnionStatement {
  /** The statement of one request in two pieces, between which its number is written. */
  readonly pieces: readonly [string, string];
  /** The placeholders of one request. */
  readonly arguments: readonly Argument[];
}

/**
 * The filter is an equality of a column with one parameter, by the collation of the column: the
 * table is joined with the keys of the requests. The number of the request comes after the columns.
 */
export interface JoinedKeysStatement {
  /** The text in two pieces, between which the keys are written, each with its number. */
  readonly pieces: readonly [string, string];
  readonly key: Argument;
  /** The placeholders of the first piece, with the same value for all requests. */
  readonly before: readonly Argument[];
  /** The placeholders of the second piece. */
  readonly after: readonly Argument[];
}

/** How the cursors of a query with `after` are made and read. */
export interface CursorPlan {
  /** The dotted name of the parameter that holds the cursor of the previous page. */
  readonly parameter: string;
  /** A hash that distinguishes cursors of different sorts. */
  readonly mark: string;
  /** The first of the root's columns that the cursor holds, and their types. */
  readonly column: number;
  readonly types: readonly PropertyType[];
  /** The most rows of a page. */
  readonly take: Count;
}

/** Parameters of unknown type whose values are copied into the answer. */
export interface AnsweredParameters {
  /** Parameters that are not used otherwise; their values may be lists and objects. */
  readonly only: readonly string[];
  /** Parameters that are also used otherwise. */
  readonly also: readonly string[];
}

export interface CompiledQuery {
  readonly expression: string;
  readonly stage: string;
  readonly view: string;
  /** Set if it counts the rows of the expression without its page. */
  readonly isTotal?: true;
  readonly root: StatementPlan;
  /** The entities whose rows the query reads, apart from those that only its writes or the schema's expressions need. */
  readonly entities: readonly string[];
  /** The parameters of the whole tree, without duplicates. */
  readonly parameters: readonly Parameter[];
  /** Set for a query with `after`. */
  readonly cursor?: CursorPlan;
  /** Set if rows with equal sort keys may be on two pages, or on none. */
  readonly hasUnstablePage?: true;
  /**
   * Set if parameters may take the place of literals in its conditions, since the database runs it in the same way for
   * all values.
   */
  readonly isSharable?: true;
  /** Absent if each request runs alone. */
  readonly batch?: BatchStatements;
  /**
   * Parameters in `==` or `!=`: if one is null at run time, the query is compiled again with the
   * literal null.
   */
  readonly nullSensitive: readonly string[];
  /**
   * Parameters that are only compared with integers: if one is another number, or needs more than
   * 64 bits, the query is compiled again with it as a decimal.
   */
  readonly numberSensitive: readonly string[];
  /** Groups of parameters that are only compared with each other. */
  readonly openComparisons?: readonly (readonly string[])[];
  /** Groups of parameters among which a sort key, a minimum or a maximum chooses its value. */
  readonly openOrders?: readonly (readonly string[])[];
  /** Groups of parameters that are converted, and whose common type nothing else determines. */
  readonly openConversions?: readonly (readonly string[])[];
  /** Parameters that are answered as they are; most queries have none. */
  readonly answered?: AnsweredParameters;
  /** An estimate of the memory of this value, for the limit of the cache. */
  readonly bytes: number;
}
